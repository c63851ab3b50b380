import type { Generated, Selectable } from "kysely";

/**
 * The tables, the same on SQLite and PostgreSQL. Timestamps are integers: milliseconds since 1970, UTC. Columns named
 * *_json hold JSON text; the functions that own a table parse it when reading.
 */
type Users = {
  id: string;
  /** Lower-case. */
  email: string;
  name: string;
  password_hash: string | null;
  staff_role: "support" | "operator" | null;
  disabled_at: number | null;
  created_at: number;
  /**
   * When the person proved that the address and the account's credentials are theirs; null: never, or somebody without
   * proof has changed the password since. Read by proven-address.ts.
   */
  address_proven_at: Generated<number | null>;
  address_proven_by: Generated<AddressProof | null>;
  /**
   * Increases with every change that takes access from anybody who knew the old credentials: a browser mark is valid
   * for one generation.
   */
  credentials_generation: Generated<number>;
  /** A notice that the person has not read yet; read by `readNotice` of proven-address.ts. */
  unread_notice: Generated<string | null>;
  /** The language of mails to the person; null: unknown, and they get all of them. */
  locale: Generated<string | null>;
};

/**
 * `provider`: single sign-on vouched for it. `mail`: a link that Gancho mailed there was used. `terminal`: the operator
 * vouched for it.
 */
export type AddressProof = "provider" | "mail" | "terminal";

/** What ended a session, by somebody else or the same person elsewhere; null: it was signed out of, or expired. */
export type SessionEnd =
  | "ended_elsewhere"
  | "role_changed"
  | "removed"
  | "disabled"
  | "password_changed"
  | "codes_changed"
  | "passkeys_reset"
  | "account_unlinked"
  | "address_proven"
  | "restored";

type Sessions = {
  /** SHA-256 of the session id, hexadecimal: the id itself is only in the person's cookie. */
  id_hash: string;
  user_id: string;
  signed_in_at: number;
  last_seen_at: number;
  absolute_expires_at: number;
  revoked_at: number | null;
  ended_because: Generated<SessionEnd | null>;
  client_address: string | null;
  user_agent: string | null;
  /** When the person last gave the password again, or used a passkey, to go on in this session; null: never. */
  reauthenticated_at: number | null;
  signed_in_by: Generated<"password" | "single_sign_on" | "passkey">;
  /** When a passkey last proved in this session that it is the person; null: never. */
  passkey_at: number | null;
};

/** The secret of a person's one-time codes. */
type OneTimeCodes = {
  user_id: string;
  /** Sealed; its place is this row. */
  secret_ciphertext: string;
  created_at: number;
  /** When a first code proved that the person has the secret; null: codes are not required yet. */
  confirmed_at: number | null;
  /** The step of the newest code that was accepted; neither it nor an older one is again. */
  last_step: number;
};

/** Replaces a one-time code when the device that makes them is lost; each once. */
type RecoveryCodes = {
  user_id: string;
  /** SHA-256, hexadecimal. */
  code_hash: string;
  used_at: number | null;
};

/** A WebAuthn key pair with its private half in a person's device or password manager. */
type Passkeys = {
  /** SHA-256 of the credential id, hexadecimal. */
  id: string;
  user_id: string;
  /** As its authenticator names it; base64url. */
  credential_id: string;
  /** COSE; base64url. */
  public_key: string;
  /** How often it has signed, according to the authenticator; 0 where it does not count. */
  counter: number;
  /** How browsers reach it, with commas between. */
  transports: string;
  /** Its person's name for it. */
  name: string;
  created_at: number;
  last_used_at: number | null;
};

/** A challenge that a passkey has not signed yet; each is valid once. */
type PasskeyChallenges = {
  /** SHA-256, hexadecimal. */
  challenge_hash: string;
  /** SHA-256 of a secret that only the requesting browser has: its session, or a cookie. */
  holder_hash: string;
  purpose: "sign_in" | "add" | "step_up";
  expires_at: number;
};

/** A person whose password was correct and who has not given a one-time code yet. */
type PendingSignIns = {
  /** SHA-256, hexadecimal: the id itself is only in the browser's cookie. */
  id_hash: string;
  user_id: string;
  expires_at: number;
  /** Codes tried. */
  attempts: number;
};

/**
 * The account at an OpenID Connect issuer to which a person is linked since its first sign-in; at most one per person
 * and issuer.
 */
type Identities = {
  issuer: string;
  /** The issuer's id for the account (`sub`): unlike an e-mail address it is never given to somebody else. */
  subject: string;
  user_id: string;
  linked_at: number;
};

/** How often a sign-in was tried lately, per account and per address. */
type SignInAttempts = {
  /** A digest: a typed address may be anything, also a password. */
  bucket: string;
  /** Tried and not found right, the ones still being checked included. */
  attempts: number;
  failures: number;
  blocked_until: number;
  window_ends_at: number;
};

/** Counts of recent actions, by rate-limiter-flexible (lib/platform/limits). */
type RateLimits = {
  key: string;
  points: number;
  /** When the count is over. */
  expire: number;
};

/** One row for each Authorization value that a person was shown within the last hour, or is about to be. */
type RevealTurns = { id: string; user_id: string; taken_at: number };

type Partners = {
  /** Matches ^[a-z0-9-]{3,40}$; part of addresses. */
  id: string;
  name: string;
  created_at: number;
  suspended_at: number | null;
};

type Memberships = {
  partner_id: string;
  user_id: string;
  role: "viewer" | "editor" | "admin";
  created_at: number;
};

/**
 * Who admitted whom to a partner, or gave them the right to write, since that takes two people there. Kept for as long
 * as it does: people with such a link, however indirect, are no second person to each other.
 */
type Vouchers = {
  partner_id: string;
  user_id: string;
  by_user_id: string;
};

/** A partner whose production addresses take two people to change. No row: it takes one. */
type FourEyes = {
  partner_id: string;
  since: number;
  /** The person's name. */
  switched_on_by: string;
  /** The admin who wants it off, until a second one agrees. */
  off_asked_by: string | null;
  off_asked_name: string | null;
  off_asked_at: number | null;
};

/** The common part of both kinds of proposals. */
type ProposedChange = {
  id: string;
  partner_id: string;
  environment: string;
  reason: string | null;
  author_id: string;
  author_name: string;
  created_at: number;
  expires_at: number;
  state: "pending" | "approved" | "rejected" | "withdrawn" | "replaced" | "expired";
  /** null while it waits, and for one that ended before this column existed. */
  ended_at: number | null;
  /** null: nobody did, it expired. */
  ended_by_id: string | null;
  ended_by: string | null;
  /** A message to its author from the person who ended it. */
  end_reason: string | null;
  /** When its author had seen how it ended, and put that away. */
  dismissed_at: number | null;
};

/** A change of a callback that waits for a second person, or waited. */
type Proposals = ProposedChange & {
  applies_to: "pix_in" | "pix_out" | "both";
  url: string;
  authorization_action: "keep" | "replace" | "remove";
  /** The value that replaces the present one, encrypted; null for the other actions, and once it has ended. */
  value_ciphertext: string | null;
  /** What the service held for its types when it was proposed. */
  basis_json: string;
  /** 1: the author saw that the service's answer is ambiguous, and meant it. */
  confirmed: 0 | 1;
  /** The press of save that it came of; null: from before that was kept. */
  operation_id: Generated<string | null>;
};

/** New credentials of a connection that wait for a second admin, or waited. */
type ConnectionProposals = ProposedChange & {
  /** The version of the credentials that they would replace. */
  base_version: number;
  client_id_before: string;
  client_id: string;
  /** 0: the secret in use stays. */
  secret_replaced: 0 | 1;
  /** The proposed secret, encrypted; null where the one in use stays, and once the proposal has ended. */
  secret_ciphertext: string | null;
  /** Why they did not work when the author wanted them all the same; null where they did. */
  fault_code: string | null;
};

type Connections = {
  id: string;
  partner_id: string;
  environment: string;
  client_id: string;
  secret_ciphertext: string;
  /** Grows with every change of the credentials. */
  version: number;
  created_at: number;
  updated_at: number;
  /** The person's name; null where it was set up by a program, or before this was kept. */
  changed_by: string | null;
  /** The second admin's name, where `changed_by` only proposed it. */
  approved_by: string | null;
};

/** How the last check of a connection went: that its credentials are exchanged for a token. */
type ConnectionChecks = {
  connection_id: string;
  /** The version of the credentials that were checked. */
  version: number;
  checked_at: number;
  checked_by: string;
  request_id: string;
  /** A fault code; null when they work. */
  code: string | null;
  upstream_status: number | null;
  /** At most 200 characters, secrets removed. */
  upstream_text: string | null;
  /** When the service said to come back. */
  retry_at: number | null;
  /** The service of the exchange; null: older than this column. */
  base_url: string | null;
};

/** The last endpoint check of a registered address; `result_json` has its findings, without any value. */
type EndpointChecks = {
  connection_id: string;
  type: "pix_in" | "pix_out";
  /** The service and the client as which the address was read. */
  base_url: string;
  client_id: string;
  checked_at: number;
  /** The whole HMAC of the value that was registered; null where none was seen. */
  fingerprint: string | null;
  result_json: string;
};

/** The certificate of a host to which callbacks lead, as last seen. */
type EndpointCertificates = {
  /** With its port, where it has one. */
  host: string;
  /** When it is checked again; moved ahead while a check runs. */
  due_at: number;
  seen_at: number | null;
  /** Of the certificate seen, also of an invalid one; null where there was none. */
  valid_to: number | null;
  /** Why there is no secure connection; null where there is. */
  failure: string | null;
};

type DataKeys = {
  id: string;
  /**
   * The owner of the secrets it seals: a partner's id, `@people` for the people of this installation, or `@` and a
   * person's id for what the history says of them (person-keys.ts).
   */
  partner_id: string;
  /** The entry of ENCRYPTION_KEYS that wraps it. */
  wrapping_key_id: string;
  wrapped: string;
  created_at: number;
};

/** Each key of ENCRYPTION_KEYS under which something was or may be wrapped, also after it was retired. */
type WrappingKeys = {
  id: string;
  /** Opens with the very bytes that all instances must have under this id; null where it was used before this was kept. */
  proof: string | null;
  /** When it was retired; null while it is in use. */
  retired_at: Generated<number | null>;
};

/** What the payment service last confirmed, without any secret value. */
type ConfirmedConfigurations = {
  connection_id: string;
  /** By the time of day, for people; ages are measured from `asked_at`. */
  confirmed_at: number;
  /** When the service was read, on the steady clock (steady-clock.ts). */
  asked_at: number;
  /** Grows with every change of this row; a reader that started before it must not overwrite it. */
  epoch: number;
  snapshot_json: string;
  /**
   * The service and the client as which it was read: another one may have another configuration. null: not recorded.
   */
  base_url: string | null;
  client_id: string | null;
};

/**
 * One save of one person, from its intent to its end. `recorded`: nothing was sent yet. `sent`: something may have
 * been. `open`: an outcome was reported, and the save is followed because the service may still show another. `ended`:
 * it was overtaken, and may still be what explains a change. `closed`: nothing more can be learned.
 */
type Saves = {
  id: string;
  connection_id: string;
  partner_id: string;
  environment: string;
  /** Made by the browser once per press, or here; unique within the connection. null: older than this column. */
  operation_id: string | null;
  request_id: string;
  actor_id: string;
  actor_name: string;
  client_address: string | null;
  state: "recorded" | "sent" | "open" | "ended" | "closed";
  wish_json: string;
  before_json: string;
  /** The service's answer to the write, per type; null until then. */
  answers_json: string | null;
  /** The last report on it: the outcome, and per type. */
  outcome: string | null;
  results_json: string | null;
  reason: string | null;
  created_at: number;
  closed_at: number | null;
  /** When something may first have been sent, on the steady clock (steady-clock.ts); 0: nothing was. */
  sent_at: Generated<number>;
  /** When the follower reads next, on the steady clock; null once it is closed. */
  next_look_at: number | null;
  /** The service it was sent to, and the client as which it was sent; null: older than this column. */
  base_url: string | null;
  client_id: string | null;
  /** The proposal that it carries out, and its author; null where a person saved alone. */
  proposal_json: string | null;
};

/** A press of save that was reported as not saved: it is refused, should it still arrive. */
type VoidOperations = {
  connection_id: string;
  operation_id: string;
  created_at: number;
};

/** One holder at a time of a named thing, across processes. A holder that died is overtaken when its lease ends. */
type Leases = {
  name: string;
  holder: string;
  /** On the steady clock (steady-clock.ts). */
  expires_at: number;
  /** Increases with every holder, so that one who stood still too long is recognised. */
  fence: Generated<number>;
};

/**
 * How the last exchange of a connection's credentials for a token ended, for all processes that share a PostgreSQL;
 * unused on SQLite.
 */
type Tokens = {
  connection_id: string;
  /** The version of the exchanged credentials. */
  version: number;
  /** A digest of their service: a token is never sent to another service. */
  service: Generated<string>;
  /** Distinguishes exchanges; empty for a rejection. */
  issue: string;
  /** The token, encrypted; null for a rejection. */
  token_ciphertext: string | null;
  /** The service's text with a rejection; null for a token. */
  fault_json: string | null;
  /** On the steady clock (steady-clock.ts). */
  expires_at: number;
};

/**
 * Append-only, in chains: `mac` covers the row and the `mac` of the row before it. `partner_id` names the chain: a
 * partner's id, or `@people` for what the people of the installation did.
 */
type History = {
  partner_id: string;
  /** 1, 2, 3 … within the chain. */
  seq: number;
  id: string;
  environment: string | null;
  at: number;
  kind: string;
  /** Comma-separated, in the order of the contract; empty when the entry is about no type. */
  types: string;
  actor_id: string | null;
  actor_name: string | null;
  client_address: string | null;
  request_id: string | null;
  outcome: string | null;
  detail_json: string;
  mac: string;
};

/** The end of each chain; its row lock puts writers one after the other. */
type HistoryHeads = {
  partner_id: string;
  seq: number;
  mac: string;
};

/** The point up to which the oldest entries of a chain were removed (lib/history/server/verify/checkpoint.ts). */
type HistoryCheckpoints = {
  partner_id: string;
  /** Of the last entry that was removed, as its `mac`. */
  seq: number;
  mac: string;
  /** JSON; the signed text. */
  statement: string;
  /** Ed25519, in base64. */
  public_key: string;
  signature: string;
};

/** A one-time invitation to a partner, for the holder of its link. */
type Invitations = {
  id: string;
  partner_id: string;
  /** SHA-256 of the link's token, hexadecimal: the token itself is only in the link. */
  token_hash: string;
  /** Lower-case. */
  email: string;
  /** As the inviting admin knows the person; a new person may write another. */
  name: string | null;
  role: "viewer" | "editor" | "admin";
  /** The inviting person: an admin of the partner, or an operator. */
  invited_by: string;
  invited_by_id: string;
  /** 1: the link went to the address by mail alone, so its holder reads mail sent there. */
  mailed: Generated<0 | 1>;
  created_at: number;
  expires_at: number;
  accepted_at: number | null;
  revoked_at: number | null;
};

/** The row of one environment in the list of partners; updated when a fetch from the service brings news. */
type PartnerOverviews = {
  partner_id: string;
  environment: string;
  /** 1: the service listed what is registered; 0: it never did yet, and the hosts mean nothing. */
  confirmed: 0 | 1;
  /** Host of the callback URL; null while that type is not registered. */
  pix_in_host: string | null;
  pix_out_host: string | null;
  /** Registered types without Authorization, comma-separated in the order of the contract. */
  without_authorization: string;
  /** Why the last read failed; null when it did not. */
  fault_code: string | null;
  /** When the first read failed so. */
  fault_request_id: string | null;
  failing_since: number | null;
  /** The service and the client as which it was read; null: older than this column. */
  base_url: string | null;
  client_id: string | null;
};

/** The search terms of one partner, as in `partner_terms`. */
type PartnerWords = {
  partner_id: string;
  /** Words of name, id and callback hosts, folded; each with a space before it. */
  words: string;
  /** States that the list can be filtered by, with spaces between them. */
  flags: string;
};

/** Inverted index of `partner_words`: the beginnings of each word, and each flag. */
type PartnerTerms = { term: string; partner_id: string };

/** A support person's view of a partner, for a reason that the partner can read. */
type SupportViews = {
  id: string;
  user_id: string;
  partner_id: string;
  /** Of the session that opened it, and alone may use it. */
  session_id_hash: string;
  reason: string;
  started_at: number;
  expires_at: number;
  /** When it was ended early. */
  ended_at: number | null;
};

/** A one-time link with which a person chooses the password of their account. */
type PasswordLinks = {
  /** SHA-256 of the link's token, hexadecimal: the token itself is only in the link. */
  token_hash: string;
  user_id: string;
  created_at: number;
  expires_at: number;
  /** Also when a newer link took its place. */
  used_at: number | null;
  /** Proof of the address by the way the link was delivered; null: none. */
  proves: Generated<"mail" | "terminal" | null>;
  /**
   * The name of the person who made it for them; null: it was made at the terminal, or requested on the sign-in page.
   */
  made_by: Generated<string | null>;
  /** Their id; null where there is no name, and for links older than this column. */
  made_by_id: Generated<string | null>;
};

/** When the watch reads a connection next, and what its last reads showed. No row: it is new. */
type WatchTurns = {
  connection_id: string;
  environment: string;
  /** On the steady clock (steady-clock.ts), like `lease_until`. */
  due_at: number;
  /** Until when `holder`, a worker, may be reading it; 0: nobody is. */
  lease_until: number;
  holder: string | null;
  /** The version of the credentials, service and client with which the following was learned; null: nothing was yet. */
  version: number | null;
  base_url: string | null;
  client_id: string | null;
  /** Consecutive failed reads; they decide when the next one is due. */
  failures: number;
  /** Of the last reading; null when it did not fail. */
  fault_code: string | null;
  failing_since: number | null;
  /** When people were alerted that it fails; null: not yet. */
  told_failing_at: number | null;
  /** When the service last listed what is registered, by the time of day. */
  confirmed_at: number | null;
  /** Types that another client changed last, comma-separated, and since when; for a week. */
  outside_types: string;
  outside_at: number | null;
  /** Since when a type is not registered, and since when one certainly has no Authorization. */
  missing_since: number | null;
  unprotected_since: number | null;
  /** The earliest of the things that need attention. */
  attention_since: number | null;
};

/** The readings of a connection on one day (UTC, counted from 1970). */
type WatchDays = {
  connection_id: string;
  day: number;
  readings: number;
  failed: number;
  /** Types found changed from outside: 1 for pix_in, 2 for pix_out, added up. */
  outside: number;
  /** Milliseconds of the slowest list call. */
  slowest_ms: number;
};

/** The readings of all connections of an environment within one hour, counted from 1970. */
type WatchHours = {
  environment: string;
  hour: number;
  readings: number;
  failed: number;
  /** Connections found changed from outside. */
  outside: number;
  /** How many list calls took how long (lib/watch/model/answer-times.ts). */
  answers_json: string;
};

/** How background reads of an environment proceed, for all workers together. Times are on the steady clock. */
type WatchServices = {
  environment: string;
  base_url: string;
  /** Up to when the budget is spent. */
  paced_until: number;
  /** The service asked for a pause until then. */
  paused_until: number;
  /** Readings that failed because of the service, one after the other. */
  faults: number;
  /** By the time of day; null while the service answers. */
  down_since: number | null;
  /** When the next connection is read, unless there is a pause. */
  probe_at: number;
};

/** Processes that read in the background now; they share the limit of concurrent reads. */
type WatchWorkers = {
  id: string;
  /** On the steady clock. */
  seen_at: number;
};
/** Alerts to send, one row for each recipient; lib/alerts sends them. */
type AlertDeliveries = {
  /** Stays the same however often it is sent: a recipient recognises a duplicate by it. */
  id: string;
  /** The same for all rows of one alert. */
  alert_id: string;
  kind: string;
  /** What happened, without any secret (lib/alerts/model/alert.ts). */
  data_json: string;
  /** A person's id, or `@operators` for the webhook. */
  recipient: string;
  channel: "mail" | "webhook";
  /** Alerts with the same key reach each recipient once; null: each time. */
  once_key: string | null;
  created_at: number;
  state: "waiting" | "sent" | "given_up";
  /** When it is sent next; while it is being sent, when that claim ends. */
  due_at: number;
  /** The present sender's claim. */
  claim: string | null;
  attempts: number;
  /** Why the last attempt failed. */
  fault: string | null;
  ended_at: number | null;
};

/** The alerts that a person does not want; no row: they want it. */
type AlertsOff = { user_id: string; choice: string };

/** The last entry of each chain that an audit stream has written durably. */
type AuditCursors = { stream: string; chain: string; seq: number };

/** Things done once per installation, such as filling in the demo. */
type Markers = { name: string; done_at: number };

/** What migrations state about older releases; those that state nothing have no row. */
type MigrationUses = { migration: string; usable_since: string };

export type Database = {
  users: Users;
  sessions: Sessions;
  one_time_codes: OneTimeCodes;
  recovery_codes: RecoveryCodes;
  passkeys: Passkeys;
  passkey_challenges: PasskeyChallenges;
  pending_sign_ins: PendingSignIns;
  identities: Identities;
  sign_in_attempts: SignInAttempts;
  rate_limits: RateLimits;
  reveal_turns: RevealTurns;
  partners: Partners;
  memberships: Memberships;
  vouchers: Vouchers;
  four_eyes: FourEyes;
  proposals: Proposals;
  connections: Connections;
  connection_proposals: ConnectionProposals;
  connection_checks: ConnectionChecks;
  endpoint_checks: EndpointChecks;
  endpoint_certificates: EndpointCertificates;
  invitations: Invitations;
  data_keys: DataKeys;
  wrapping_keys: WrappingKeys;
  confirmed_configurations: ConfirmedConfigurations;
  partner_overviews: PartnerOverviews;
  partner_words: PartnerWords;
  partner_terms: PartnerTerms;
  support_views: SupportViews;
  password_links: PasswordLinks;
  saves: Saves;
  void_operations: VoidOperations;
  leases: Leases;
  tokens: Tokens;
  history: History;
  history_heads: HistoryHeads;
  history_checkpoints: HistoryCheckpoints;
  audit_cursors: AuditCursors;
  watch_turns: WatchTurns;
  watch_days: WatchDays;
  watch_hours: WatchHours;
  watch_services: WatchServices;
  watch_workers: WatchWorkers;
  alert_deliveries: AlertDeliveries;
  alerts_off: AlertsOff;
  markers: Markers;
  migration_uses: MigrationUses;
};

export type HistoryRow = Selectable<History>;
export type HistoryCheckpointRow = Selectable<HistoryCheckpoints>;
export type SaveRow = Selectable<Saves>;
export type ProposalRow = Selectable<Proposals>;
export type ConnectionProposalRow = Selectable<ConnectionProposals>;
export type ConnectionRow = Selectable<Connections>;
export type PartnerOverviewRow = Selectable<PartnerOverviews>;
export type WatchTurnRow = Selectable<WatchTurns>;
export type WatchServiceRow = Selectable<WatchServices>;
export type AlertDeliveryRow = Selectable<AlertDeliveries>;
export type InvitationRow = Selectable<Invitations>;
