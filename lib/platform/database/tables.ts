import { sql, type Selectable, type SqlBool } from "kysely";
import { bigint, integer, table, text, varchar, type Row } from "./columns";

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
  | "left_provider"
  | "restored";

/** The states of a change that waits for a second person, or waited in vain. */
type WaitingState = "waiting" | "rejected" | "withdrawn" | "replaced" | "expired";
/**
 * The states of a change that is carried out. `sent`: something may have been. `answered`: the answer to the write is recorded, or that none came; looks go on, and the save explains what they show.
 */
type FollowedState = "sent" | "answered";

const followed = "state in ('sent', 'answered')";
/** Written as in the indexes, so that queries use them. */
export const isFollowed = sql.raw<SqlBool>(followed);

const id = () => varchar(64);
const partnerId = () => varchar(40);
const environment = () => varchar(40);

/**
 * The tables, the same on SQLite and PostgreSQL, in the order in which they are made. Timestamps are integers:
 * milliseconds since 1970, UTC. Columns named *_json hold JSON text; the functions that own a table parse it when
 * reading.
 */
export const tables = {
  users: table(
    {
      id: id().primaryKey(),
      /** Lower-case. */
      email: varchar(320).unique(),
      name: varchar(200),
      password_hash: text().nullable(),
      staff_role: varchar<"support" | "operator">(16).nullable(),
      disabled_at: bigint().nullable(),
      created_at: bigint(),
      /**
       * Increases with every change that takes access from anybody who knew the old credentials: a browser mark is valid
       * for one generation.
       */
      credentials_generation: integer().default(0),
      /** The language of mails to the person; null: unknown, and they get all of them. */
      locale: varchar(16).nullable(),
      /**
       * 0: when they last came by the sign-in provider, it vouched for another address, which somebody else has here. What
       * is for this address is not for them.
       */
      email_vouched: integer<0 | 1>().default(1),
    },
    {
      indexes: {
        users_disabled: { on: ["id"], where: "disabled_at is not null" },
        users_staff: { on: ["staff_role"], where: "staff_role is not null" },
      },
    },
  ),

  /** What a person was called before they changed their name; an entry of the history names the row. */
  former_names: table(
    {
      id: id().primaryKey(),
      user_id: id().references("users"),
      name: varchar(200),
      changed_at: bigint(),
    },
    { indexes: { former_names_of_user: ["user_id"] } },
  ),

  sessions: table(
    {
      /** SHA-256 of the session id, hexadecimal: the id itself is only in the person's cookie. */
      id_hash: id().primaryKey(),
      user_id: id().references("users"),
      signed_in_at: bigint(),
      last_seen_at: bigint(),
      absolute_expires_at: bigint(),
      revoked_at: bigint().nullable(),
      ended_because: varchar<SessionEnd>(40).nullable(),
      client_address: varchar(64).nullable(),
      user_agent: varchar(400).nullable(),
      /** When the person last gave the password again, or used a passkey, to go on in this session; null: never. */
      reauthenticated_at: bigint().nullable(),
      signed_in_by: varchar<"password" | "single_sign_on" | "passkey">(20).default("password"),
      /** When a passkey last proved in this session that it is the person; null: never. */
      passkey_at: bigint().nullable(),
      /** SHA-256 of issuer and `sid`: the session at the provider from which it came; null: none, or not known. */
      provider_session: varchar(64).nullable(),
      /** How the person signs out there, encrypted with the session's id (leave-provider.ts); null: not at all. */
      leave_provider: text().nullable(),
    },
    {
      indexes: {
        sessions_of_user: ["user_id"],
        sessions_over: ["absolute_expires_at"],
        sessions_of_provider: ["provider_session"],
      },
    },
  ),

  /** The secret of a person's one-time codes. */
  one_time_codes: table({
    user_id: id().primaryKey().references("users"),
    /** Encrypted for this row. */
    secret_ciphertext: text(),
    created_at: bigint(),
    /** When a first code proved that the person has the secret; null: codes are not required yet. */
    confirmed_at: bigint().nullable(),
    /** The step of the newest code that was accepted; it and older ones are refused. */
    last_step: bigint(),
  }),

  /** Replaces a one-time code when the device that makes them is lost; each once. */
  recovery_codes: table(
    {
      user_id: id().references("users"),
      /** SHA-256, hexadecimal. */
      code_hash: id(),
      used_at: bigint().nullable(),
    },
    { primaryKey: ["user_id", "code_hash"] },
  ),

  /** A WebAuthn key pair with its private half in a person's device or password manager. */
  passkeys: table(
    {
      /** SHA-256 of the credential id, hexadecimal. */
      id: id().primaryKey(),
      user_id: id().references("users"),
      /** As its authenticator names it; base64url. */
      credential_id: text(),
      /** COSE; base64url. */
      public_key: text(),
      /** How often it has signed, according to the authenticator; 0 where it does not count. */
      counter: bigint(),
      /** How browsers reach it, with commas between. */
      transports: varchar(100),
      /** Its person's name for it. */
      name: varchar(100),
      created_at: bigint(),
      last_used_at: bigint().nullable(),
    },
    { indexes: { passkeys_of: ["user_id"] } },
  ),

  /** A challenge that a passkey has not signed yet; each is valid once. */
  passkey_challenges: table(
    {
      /** SHA-256, hexadecimal. */
      challenge_hash: id().primaryKey(),
      /** SHA-256 of a secret that only the requesting browser has: its session, or a cookie. */
      bound_to_hash: id(),
      purpose: varchar<"sign_in" | "add" | "step_up">(20),
      expires_at: bigint(),
    },
    { indexes: { passkey_challenges_over: ["expires_at"] } },
  ),

  /** A person who was sent to the provider to confirm who they are, and is not back; each answer counts once. */
  provider_step_ups: table(
    {
      /** SHA-256 of the attempt's id, hexadecimal. */
      id_hash: id().primaryKey(),
      /** The session that it is for. */
      session_hash: id(),
      begun_at: bigint(),
    },
    { indexes: { provider_step_ups_begun: ["begun_at"] } },
  ),

  /** A provider's statement that somebody signed out there; each counts once. */
  logout_tokens: table(
    {
      /** SHA-256 of issuer and `jti`, hexadecimal. */
      token_hash: id().primaryKey(),
      received_at: bigint(),
    },
    { indexes: { logout_tokens_received: ["received_at"] } },
  ),

  /** A person whose password was correct and who has not given a one-time code yet. */
  pending_sign_ins: table(
    {
      /** SHA-256, hexadecimal: the id itself is only in the browser's cookie. */
      id_hash: id().primaryKey(),
      user_id: id().references("users"),
      expires_at: bigint(),
      /** Codes tried. */
      attempts: integer(),
    },
    { indexes: { pending_sign_ins_over: ["expires_at"] } },
  ),

  /**
   * The account at an OpenID Connect issuer to which a person is linked since its first sign-in; at most one per person
   * and issuer.
   */
  identities: table(
    {
      issuer: varchar(400),
      /** The issuer's id for the account (`sub`): unlike an e-mail address it is never given to somebody else. */
      subject: varchar(255),
      user_id: id().references("users"),
    },
    {
      primaryKey: ["issuer", "subject"],
      unique: [["issuer", "user_id"]],
      indexes: { identities_of_user: ["user_id"] },
    },
  ),

  /** How often something was tried lately (lib/platform/limits). */
  rate_limits: table(
    {
      /** A digest: a typed address may be anything, also a password. */
      bucket: varchar(64).primaryKey(),
      /** Tried and not found right, the ones still being checked included. */
      attempts: integer(),
      failures: integer(),
      blocked_until: bigint(),
      window_ends_at: bigint(),
    },
    { indexes: { rate_limits_over: ["window_ends_at"] } },
  ),

  partners: table(
    {
      /** Matches ^[a-z0-9-]{3,40}$; part of addresses. */
      id: varchar(40).primaryKey(),
      name: varchar(200),
      /**
       * What a search finds, and the order by name: the words of name and id without accents or case, each with a space
       * before it.
       */
      words: text().default(""),
      created_at: bigint(),
      suspended_at: bigint().nullable(),
      /** Since when production addresses take two people to change; null: they take one. */
      four_eyes_since: bigint().nullable(),
      /** The person who switched that on. */
      four_eyes_by_id: id().nullable(),
    },
    {
      indexes: {
        partners_by_name: ["words", "id"],
        partners_suspended: { on: ["id"], where: "suspended_at is not null" },
      },
    },
  ),

  memberships: table(
    {
      partner_id: partnerId().references("partners"),
      user_id: id().references("users"),
      role: varchar<"viewer" | "editor" | "admin">(16),
      created_at: bigint(),
      /** 1: the provider's claim gave it, and decides its role and its end at each sign-in. */
      managed: integer().default(0),
    },
    { primaryKey: ["partner_id", "user_id"], indexes: { memberships_of_user: ["user_id"] } },
  ),

  /**
   * Who admitted whom to a partner, or gave them the right to write, since changes take two people there. Kept for as
   * long as they do: people with such a link, however indirect, are no second person to each other.
   */
  access_grants: table(
    {
      partner_id: partnerId().references("partners"),
      user_id: id().references("users"),
      by_user_id: id().references("users"),
    },
    { primaryKey: ["partner_id", "user_id", "by_user_id"] },
  ),

  connections: table(
    {
      id: id().primaryKey(),
      partner_id: partnerId().references("partners"),
      environment: environment(),
      client_id: varchar(200),
      secret_ciphertext: text(),
      /** Grows with every change of the credentials. */
      version: integer(),
      updated_at: bigint(),
      /** null where it was set up by a program. */
      changed_by_id: id().nullable(),
      /** The second admin, where `changed_by_id` only proposed it. */
      approved_by_id: id().nullable(),
    },
    {
      unique: [["partner_id", "environment"]],
      indexes: {
        connections_clients: ["client_id"],
        connections_of_environment: {
          unique: true,
          on: ["environment", "partner_id", "client_id"],
        },
      },
    },
  ),

  /** How the last check of a connection went: that its credentials are exchanged for a token. */
  connection_checks: table({
    connection_id: id().primaryKey().references("connections"),
    /** The version of the credentials that were checked. */
    version: integer(),
    checked_at: bigint(),
    /** null where an import tried them. */
    checked_by_id: id().nullable(),
    request_id: id(),
    /** A fault code; null when they work. */
    code: varchar(40).nullable(),
    upstream_status: integer().nullable(),
    /** At most 200 characters, secrets removed. */
    upstream_text: varchar(200).nullable(),
    /** When the service said to come back. */
    retry_at: bigint().nullable(),
    /** The service of the exchange. */
    base_url: varchar(2048),
  }),

  /**
   * The last endpoint check of a registered address; `result_json` has its findings, without any value, and is null
   * before the first. Also whether Gancho checks it every day by itself.
   */
  endpoint_checks: table(
    {
      connection_id: id().references("connections"),
      type: varchar<"pix_in" | "pix_out">(16),
      /** 1: of an address and a value that somebody typed; it counts once a save has registered them. */
      typed: integer<0 | 1>(),
      /** The service and the client as which the address was read. */
      base_url: varchar(2048),
      client_id: varchar(400),
      checked_at: bigint(),
      /** The whole HMAC of the value that was registered, or typed; null where none was seen. */
      fingerprint: varchar(64).nullable(),
      result_json: text().nullable(),
      /** Since when checks of this address and value have had this verdict. */
      same_since: bigint(),
      /** When Gancho checks it next by itself; null where nobody asked for that. */
      daily_due_at: bigint().nullable(),
      /** What the last mail said of it, and how many days before the end of its certificate the last one was sent. */
      alerted_condition: varchar<"only_with" | "unclear" | "refused" | "down" | "open">(
        16,
      ).nullable(),
      alerted_days: integer().nullable(),
    },
    {
      primaryKey: ["connection_id", "type", "typed"],
      indexes: {
        endpoint_checks_due: ["daily_due_at"],
        endpoint_checks_alerted: {
          on: ["connection_id"],
          where: "alerted_condition is not null",
        },
      },
    },
  ),

  /** A one-time invitation to a partner, for the holder of its link. */
  invitations: table(
    {
      id: id().primaryKey(),
      partner_id: partnerId().references("partners"),
      /** SHA-256 of the link's token, hexadecimal: the token itself is only in the link. */
      token_hash: id().unique(),
      /** Lower-case. */
      email: varchar(320),
      /** As the inviting admin knows the person; a new person may write another. */
      name: varchar(200).nullable(),
      role: varchar<"viewer" | "editor" | "admin">(16),
      /** The inviting person: an admin of the partner, or an operator; null: the installation, by `import-partners`. */
      invited_by_id: id().nullable(),
      created_at: bigint(),
      expires_at: bigint(),
      /** When `import-partners` mailed it; null: it has not yet, or a person invited. */
      mailed_at: bigint().nullable(),
      accepted_at: bigint().nullable(),
      revoked_at: bigint().nullable(),
    },
    { indexes: { invitations_of_partner: ["partner_id", "created_at"] } },
  ),

  data_keys: table(
    {
      id: id().primaryKey(),
      /**
       * The owner of the secrets it seals: a partner's id, or `@people` for the people of this
       * installation.
       */
      partner_id: partnerId().unique(),
      /** The entry of ENCRYPTION_KEYS that wraps it. */
      wrapping_key_id: id(),
      wrapped: text(),
      created_at: bigint(),
    },
    { indexes: { data_keys_by_wrapping_key: ["wrapping_key_id"] } },
  ),

  /** What the last look at the service's list showed, without any secret value. */
  confirmed_configurations: table(
    {
      connection_id: id().primaryKey().references("connections"),
      /** When its answer came: by the time of day, for people, and on the steady clock (steady-clock.ts). */
      looked_at: bigint(),
      looked_steady: bigint(),
      /** Grows with every change of this row; a reader that started before it must not overwrite it. */
      epoch: integer(),
      remote_json: text(),
      /**
       * The service and the client as which it was read: what was learned says nothing about another one. null: not
       * recorded.
       */
      base_url: varchar(2048).nullable(),
      client_id: varchar(400).nullable(),
    },
    // Each look moves its entry, which would cost PostgreSQL its updates in place. There, sorting blocks nobody else.
    { indexes: { confirmed_by_age: { on: ["base_url", "looked_at"], onlyOnSqlite: true } } },
  ),

  /** What looks have shown of one type: `Observed` of lib/webhooks/server/observe/look.ts, which says what each means. */
  observed_types: table(
    {
      connection_id: id().references("connections"),
      type: varchar<"pix_in" | "pix_out">(16),
      /** Times without `_steady` are times of day. */
      shown_json: text(),
      shown_since: bigint(),
      shown_since_steady: bigint(),
      looked_at: bigint(),
      /** null: the first look is still to come. */
      settled_json: text().nullable(),
      recent_json: text(),
      counted_at: bigint().nullable(),
      difference_json: text().nullable(),
      sent_value: varchar(64).nullable(),
      /** No value was sent for what is shown (lib/webhooks/server/observe/retype.ts). */
      sent_none: integer<0 | 1>(),
      /** The list has shown a value, or Gancho has sent one. */
      had_value: integer<0 | 1>(),
      shows_values: integer<0 | 1>(),
      /** The save that asked for what is shown. */
      asked_by: id().nullable(),
      /** The look with which this row was stored: later ones that showed nothing new are only in the table above. */
      stored_steady: bigint(),
    },
    { primaryKey: ["connection_id", "type"] },
  ),

  /**
   * An incident: a connection's list showed another address, and no save here asked for it. Until somebody closes it
   * with a note, or acknowledges each of its addresses as the partner's own.
   */
  incidents: table({
    connection_id: id().primaryKey().references("connections", "cascade"),
    /** The look that first told it; by the time of day. */
    started_at: bigint(),
    /** The version of the credentials at the last difference: until they are replaced, whoever has them may go on. */
    version: integer(),
    /** The addresses that were told and that nobody acknowledged, each with the digests of the values shown there. */
    told_json: text(),
  }),

  /** The row of one environment in the list of partners; updated when a fetch from the service brings news. */
  partner_overviews: table(
    {
      partner_id: partnerId().references("partners"),
      environment: environment(),
      /** 1: the service listed what is registered; 0: it never did yet, and the hosts mean nothing. */
      confirmed: integer<0 | 1>(),
      /** Host of the callback URL; null while that type is not registered, empty while Gancho cannot tell. */
      pix_in_host: varchar(255).nullable(),
      pix_out_host: varchar(255).nullable(),
      /** The words of the hosts, as in `partners`. */
      words: text().nullable(),
      /** Registered types without Authorization, comma-separated in the order of the contract. */
      without_authorization: varchar(40),
      /** Why the last read failed; null when it did not. */
      fault_code: varchar(40).nullable(),
      fault_request_id: id().nullable(),
      /** When the first read failed so. */
      failing_since: bigint().nullable(),
      /** The service and the client as which it was read. */
      base_url: varchar(2048),
      client_id: varchar(200),
    },
    {
      primaryKey: ["partner_id", "environment"],
      // Of the client that the connection has, and of no earlier one.
      foreignKey: {
        on: ["environment", "partner_id", "client_id"],
        table: "connections",
        onDelete: "cascade",
      },
      // A reading that shows nothing new writes none.
      indexes: {
        partner_overviews_looked: {
          on: ["environment", "base_url", "partner_id"],
          where: "confirmed = 1",
        },
        partner_overviews_failing: {
          on: ["environment", "base_url", "partner_id"],
          where: "fault_code is not null",
        },
        partner_overviews_type_missing: {
          on: ["environment", "base_url", "partner_id"],
          where: "confirmed = 1 and (pix_in_host is null or pix_out_host is null)",
        },
        partner_overviews_unclear: {
          on: ["environment", "base_url", "partner_id"],
          where: "confirmed = 1 and (pix_in_host = '' or pix_out_host = '')",
        },
        partner_overviews_no_authorization: {
          on: ["environment", "base_url", "partner_id"],
          where: "confirmed = 1 and without_authorization <> ''",
        },
      },
    },
  ),

  /** A support person's view of a partner, for a reason that the partner can read. */
  support_views: table(
    {
      id: id().primaryKey(),
      user_id: id().references("users"),
      partner_id: partnerId().references("partners"),
      /** Of the session that opened it, and alone may use it. */
      session_id_hash: id(),
      reason: text(),
      started_at: bigint(),
      expires_at: bigint(),
      /** When it was ended early. */
      ended_at: bigint().nullable(),
    },
    {
      indexes: { support_views_open: { on: ["user_id", "expires_at"], where: "ended_at is null" } },
    },
  ),

  /** A one-time link with which a person chooses the password of their account. */
  password_links: table(
    {
      /** SHA-256 of the link's token, hexadecimal: the token itself is only in the link. */
      token_hash: id().primaryKey(),
      user_id: id().references("users"),
      /** The operator who had it made, and with whose role it ends; null where its person or the terminal did. */
      made_by_id: id().nullable(),
      created_at: bigint(),
      expires_at: bigint(),
      /** Also when a newer link took its place. */
      used_at: bigint().nullable(),
    },
    { indexes: { password_links_of_user: ["user_id"] } },
  ),

  /**
   * One row for each change that somebody asked for, from its submission to its end: of webhooks always, of
   * credentials and four-eyes approval where it waits for a second admin. docs/decisions/saving.md has the states and
   * their rules.
   */
  changes: table(
    {
      partner_id: partnerId().references("partners"),
      /** Empty where it is about the whole partner. */
      environment: environment(),
      /** The change id, made by the browser for its submission, or here. The history names the change by it. */
      id: id(),
      /** null where it is about the whole partner. */
      connection_id: id().nullable().references("connections"),
      kind: varchar<"webhooks" | "credentials" | "four_eyes_off">(16),
      /** null where it is about no type, or its submission is all that is known. */
      applies_to: varchar<"pix_in" | "pix_out" | "both">(16).nullable(),
      state: varchar<WaitingState | FollowedState | "void" | "closed">(16),
      /** The author. */
      author_id: id(),
      created_at: bigint(),
      /** Until when it waits for a second person, or waited; null: it took none. */
      expires_at: bigint().nullable(),
      /** What was requested, in the form of its kind, without secrets; null where its submission is all that is known. */
      asked_json: text().nullable(),
      /** The proposed value or client secret, encrypted; null where there is none, and once it no longer waits. */
      secret_ciphertext: text().nullable(),
      /** The author's message to the second person. */
      reason: varchar(200).nullable(),
      /** null while it waits, and where it took no second person. */
      decided_at: bigint().nullable(),
      /** null: nobody did, it expired. */
      decided_by_id: id().nullable(),
      /** A message to its author from the person who decided it. */
      decision_reason: varchar(200).nullable(),
      /** When its author dismissed the decision. */
      dismissed_at: bigint().nullable(),
      /** Of the request that the write comes from: the author's, or the approver's. */
      request_id: id(),
      client_address: varchar(64).nullable(),
      /** What the service held before, and what it is to hold, per type; null where it is about no type. */
      before_json: text().nullable(),
      desired_json: text().nullable(),
      /** When something may first have been sent, on the steady clock (steady-clock.ts); 0: nothing was. */
      sent_at: bigint().default(0),
      /** The service's answer to the write, per type; null until then. */
      answers_json: text().nullable(),
      /** Why it was not sent, not accepted or not answered. */
      problem: varchar(40).nullable(),
      /** What looks have shown of it since, per type. */
      seen_json: text().nullable(),
      closed_at: bigint().nullable(),
      /** When the follower reads next, on the steady clock; null where nothing is followed. */
      next_check_at: bigint().nullable(),
      /** The service that it goes to, and the client as which it does; empty where it is about the whole partner. */
      base_url: varchar(2048),
      client_id: varchar(400),
    },
    {
      primaryKey: ["partner_id", "environment", "id"],
      indexes: {
        changes_followed: {
          on: ["connection_id", "created_at"],
          where: followed,
        },
        changes_to_read: {
          on: ["next_check_at"],
          where: followed,
        },
        changes_of_author: { on: ["author_id"], where: "decided_at is not null" },
        changes_void: { on: ["connection_id", "created_at"], where: "state = 'void'" },
        changes_waiting: { on: ["partner_id", "environment"], where: "state = 'waiting'" },
        // Only one waits.
        changes_waiting_pix_in: {
          unique: true,
          on: ["partner_id", "environment"],
          where: "state = 'waiting' and applies_to in ('pix_in', 'both')",
        },
        changes_waiting_pix_out: {
          unique: true,
          on: ["partner_id", "environment"],
          where: "state = 'waiting' and applies_to in ('pix_out', 'both')",
        },
        changes_waiting_others: {
          unique: true,
          on: ["partner_id", "environment", "kind"],
          where: "state = 'waiting' and kind <> 'webhooks'",
        },
      },
    },
  ),

  /** One holder at a time of a named thing, across processes. A holder that died is overtaken when its lease ends. */
  leases: table({
    name: varchar(80).primaryKey(),
    holder: id(),
    /** On the steady clock (steady-clock.ts). */
    expires_at: bigint(),
    /** Increases with every holder, so that one that was paused too long is recognised. */
    fence: bigint().default(0),
  }),

  /**
   * Append-only, in chains: `mac` covers the row and the `mac` of the row before it. `partner_id` names the chain: a
   * partner's id, or `@people` for what the people of the installation did.
   */
  history: table(
    {
      partner_id: partnerId(),
      /** 1, 2, 3 … within the chain. */
      seq: bigint(),
      id: id().unique(),
      environment: environment().nullable(),
      at: bigint(),
      kind: varchar(40),
      /** Comma-separated, in the order of the contract; empty when the entry is about no type. */
      types: varchar(40),
      actor_id: id().nullable(),
      /** The person whom it is about, as its detail says: often not the actor. */
      subject_id: id().nullable(),
      /** Not covered by `mac`: it is erased with its person. */
      client_address: text().nullable(),
      request_id: id().nullable(),
      outcome: varchar(40).nullable(),
      detail_json: text(),
      mac: varchar(64),
    },
    {
      primaryKey: ["partner_id", "seq"],
      indexes: {
        history_actors: ["partner_id", "actor_id", "seq"],
        history_filters: [
          "partner_id",
          "seq",
          "environment",
          "kind",
          "types",
          "outcome",
          "actor_id",
          "at",
          "request_id",
        ],
        history_subjects: ["partner_id", "subject_id", "seq"],
        history_requests: ["request_id"],
      },
    },
  ),

  /** The end of each chain; its row lock puts writers one after the other. */
  history_heads: table({
    partner_id: partnerId().primaryKey(),
    seq: bigint(),
    mac: varchar(64),
  }),

  /** The point up to which the oldest entries of a chain were removed, as an entry of it says. */
  history_checkpoints: table({
    partner_id: partnerId().primaryKey(),
    /** Of the last entry that was removed, as its `mac`. */
    seq: bigint(),
    mac: varchar(64),
    /** The position of the entry that says so. */
    entry_seq: bigint(),
  }),

  /** When the watch reads a connection next, and what its last reads showed. No row: it is new. */
  reading_schedule: table(
    {
      connection_id: id().primaryKey().references("connections", "cascade"),
      environment: environment(),
      /** On the steady clock (steady-clock.ts). */
      due_at: bigint(),
      /** The version of the credentials, service and client with which the following was learned; null: none yet. */
      version: integer().nullable(),
      base_url: varchar(2048).nullable(),
      client_id: varchar(400).nullable(),
      /** Consecutive failed reads; they decide when the next one is due. */
      failures: integer(),
      /** Of the last reading; null when it did not fail. */
      fault_code: varchar(40).nullable(),
      failing_since: bigint().nullable(),
      /** When people were alerted that it fails; null: not yet. */
      failing_alert_sent_at: bigint().nullable(),
      /** When the service last listed what is registered, by the time of day. */
      confirmed_at: bigint().nullable(),
      /** Since when another client's change stands. */
      outside_at: bigint().nullable(),
      /** 1: the addresses are the same, and the service shows other values. */
      outside_only_value: integer().default(0),
    },
    {
      indexes: {
        reading_schedule_outside: {
          on: ["environment", "outside_at", "base_url"],
          where: "outside_at is not null",
        },
        // What the counts of connections need is in it, too: each reading moves its entry anyway.
        reading_schedule_due: [
          "environment",
          "due_at",
          "base_url",
          "confirmed_at",
          "failing_since",
        ],
        reading_schedule_slowed: {
          on: ["environment"],
          where: "fault_code = 'upstream_rate_limited'",
        },
        reading_schedule_failing: {
          on: ["environment", "failing_since", "base_url"],
          where: "failing_since is not null",
        },
      },
    },
  ),

  /** The readings of all connections of an environment within one hour, counted from 1970. */
  watch_hours: table(
    {
      environment: environment(),
      hour: integer(),
      readings: integer(),
      failed: integer(),
      /** List calls that were answered, and their milliseconds together. */
      answered: integer(),
      answer_ms: bigint(),
    },
    { primaryKey: ["environment", "hour"] },
  ),

  /** How an environment's service answers. */
  watch_services: table(
    {
      environment: environment(),
      base_url: varchar(2048),
      /** The service asked for a pause until then, on the steady clock. */
      paused_until: bigint(),
      /** Readings that failed because of the service, one after the other. */
      faults: integer(),
      /** By the time of day; null while the service answers. */
      down_since: bigint().nullable(),
    },
    { primaryKey: ["environment", "base_url"] },
  ),

  /** Alerts to send, one row for each recipient; lib/alerts sends them. */
  alert_deliveries: table(
    {
      /** Stays the same however often it is sent: a recipient recognises a duplicate by it. */
      id: id().primaryKey(),
      kind: varchar(64),
      /** What happened, without any secret (lib/alerts/model/alert.ts). */
      data_json: text(),
      /** A person's id, `address:` and the id of an alert address, or `@operators` for the webhook. */
      recipient: varchar(64),
      channel: varchar<"mail" | "webhook">(16),
      /** Alerts with the same key reach each recipient once; null: each time. */
      once_key: varchar(200).nullable(),
      created_at: bigint(),
      state: varchar<"waiting" | "sent" | "given_up">(16),
      /** When it is sent next. */
      due_at: bigint(),
      attempts: integer(),
      /** Why the last attempt failed. */
      fault: varchar(64).nullable(),
      ended_at: bigint().nullable(),
    },
    {
      unique: [["once_key", "recipient"]],
      indexes: {
        alert_deliveries_due: ["state", "channel", "due_at"],
        alert_deliveries_ended: ["state", "ended_at"],
      },
    },
  ),

  /** Mailboxes of a partner's groups, which get what its admins get about its webhooks; not people. */
  alert_addresses: table(
    {
      id: id().primaryKey(),
      partner_id: partnerId().references("partners"),
      /** Lower-case. */
      address: varchar(320),
      added_by_id: id(),
      /** SHA-256 of the token of the link that confirms it, hexadecimal. */
      token_hash: id().unique(),
      /** Of that link. */
      expires_at: bigint(),
      /** When somebody who reads it confirmed it; null: it gets nothing yet. */
      confirmed_at: bigint().nullable(),
      /** Since when the mail server takes no mail to it; null: it does. */
      failing_since: bigint().nullable(),
    },
    { unique: [["partner_id", "address"]] },
  ),

  /** The alerts that a person does not want; no row: they want it. */
  alerts_off: table(
    {
      user_id: id().references("users"),
      choice: varchar(64),
    },
    { primaryKey: ["user_id", "choice"] },
  ),

  /**
   * An address of Gancho's own that receives for a partner in a test environment until its receiver stands; no row, or an
   * expired one: it is off.
   */
  captures: table(
    {
      id: id().primaryKey(),
      partner_id: partnerId().references("partners", "cascade"),
      environment: environment(),
      type: varchar<"pix_in" | "pix_out">(16),
      /** SHA-256 of the address's token, hexadecimal. */
      token_hash: id().unique(),
      /** Encrypted for this row, to show the address again. */
      token_ciphertext: text(),
      since: bigint(),
      expires_at: bigint(),
      /** How many messages were kept so far; the newest has this number. */
      arrived: integer(),
      /** The last save of this address after which the first message was timed. */
      timed_save_id: id().nullable(),
    },
    { unique: [["partner_id", "environment", "type"]] },
  ),

  /** The latest messages to such an address, for a day. */
  arrivals: table(
    {
      capture_id: id().references("captures", "cascade"),
      /** 1, 2, 3 … */
      number: integer(),
      at: bigint(),
      /** A keyed digest of the body, to recognise a repetition. */
      body_mac: varchar(64),
      /** What came, encrypted for this row (lib/capture/server/receive.ts). */
      content_ciphertext: text(),
    },
    { primaryKey: ["capture_id", "number"], indexes: { arrivals_over: ["at"] } },
  ),

  /** What messages have shown of how the service sends them; stays when what came is gone. */
  capture_facts: table(
    {
      partner_id: partnerId().references("partners", "cascade"),
      environment: environment(),
      type: varchar<"pix_in" | "pix_out">(16),
      fact: varchar<"after_save" | "repeated" | "from" | "event">(16),
      /** The address it came from, or the kind of event; empty for the others. */
      value: varchar(100),
      times: integer(),
      first_at: bigint(),
      last_at: bigint(),
      /** Milliseconds, of the two that are times. */
      least_ms: bigint().nullable(),
      most_ms: bigint().nullable(),
    },
    { primaryKey: ["partner_id", "environment", "type", "fact", "value"] },
  ),

  /** Things done once per installation, such as filling in the demo. */
  markers: table({
    name: varchar(64).primaryKey(),
    done_at: bigint(),
  }),

  /** What the last start on this database had, so that another installation on it is noticed; no secret. */
  installation_settings: table({
    name: varchar(64).primaryKey(),
    value: text(),
    noted_at: bigint(),
  }),

  /** One row: the oldest release that may work with these tables. */
  schema_info: table({
    works_since: varchar(40),
  }),
};

export type Database = { [Name in keyof typeof tables]: Row<(typeof tables)[Name]> };

export type HistoryRow = Selectable<Database["history"]>;
export type ChangeRow = Selectable<Database["changes"]>;
export type ConnectionRow = Selectable<Database["connections"]>;
export type PartnerOverviewRow = Selectable<Database["partner_overviews"]>;
export type ReadingScheduleRow = Selectable<Database["reading_schedule"]>;
export type AlertDeliveryRow = Selectable<Database["alert_deliveries"]>;
export type InvitationRow = Selectable<Database["invitations"]>;
