import type { Insertable, Selectable } from "kysely";

/**
 * The tables, the same on SQLite and PostgreSQL. Moments are integers: milliseconds since 1970, UTC.
 * Columns named *_json hold JSON text; the functions that own a table parse it when reading.
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
};

type Sessions = {
  /** SHA-256 of the session id, hexadecimal: the id itself is only in the person's cookie. */
  id_hash: string;
  user_id: string;
  signed_in_at: number;
  last_seen_at: number;
  absolute_expires_at: number;
  revoked_at: number | null;
  client_address: string | null;
  user_agent: string | null;
};

/** How often a sign-in was tried lately, per account and per address. */
type SignInAttempts = {
  /** A digest: what people type as an address may be anything, also a password. */
  bucket: string;
  /** Tried and not found right, the ones still being checked included. */
  attempts: number;
  failures: number;
  blocked_until: number;
  window_ends_at: number;
};

type Partners = {
  /** Matches ^[a-z0-9-]{3,40}$; stands in addresses. */
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
};

type DataKeys = {
  id: string;
  partner_id: string;
  /** The entry of ENCRYPTION_KEYS that wraps it. */
  wrapping_key_id: string;
  wrapped: string;
  created_at: number;
};

/** What the payment service last confirmed, without any secret value. */
type ConfirmedConfigurations = {
  connection_id: string;
  confirmed_at: number;
  /** Grows with every change of this row; a reader that started before it must not overwrite it. */
  epoch: number;
  snapshot_json: string;
};

/**
 * One save of one person, from its intent to its end. `recorded`: nothing was sent yet. `sent`: something may have
 * been. `unknown`: the person was told that the outcome is unknown; a later look may still settle it.
 */
type Saves = {
  id: string;
  connection_id: string;
  partner_id: string;
  environment: string;
  request_id: string;
  actor_id: string;
  actor_name: string;
  client_address: string | null;
  state: "recorded" | "sent" | "unknown" | "closed";
  wish_json: string;
  before_json: string;
  created_at: number;
  closed_at: number | null;
};

/** One holder at a time of a named thing, across processes. A holder that died is overtaken when its lease ends. */
type Leases = {
  name: string;
  holder: string;
  expires_at: number;
};

/** Append-only, chained per partner: `mac` covers the row and the `mac` of the row before it. */
type History = {
  partner_id: string;
  /** 1, 2, 3 … within the partner. */
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

/** The end of each partner's chain; its row lock puts writers one after the other. */
type HistoryHeads = {
  partner_id: string;
  seq: number;
  mac: string;
};

/** Things done once per installation, such as filling in the demo. */
type Markers = { name: string; done_at: number };

export type Database = {
  users: Users;
  sessions: Sessions;
  sign_in_attempts: SignInAttempts;
  partners: Partners;
  memberships: Memberships;
  connections: Connections;
  data_keys: DataKeys;
  confirmed_configurations: ConfirmedConfigurations;
  saves: Saves;
  leases: Leases;
  history: History;
  history_heads: HistoryHeads;
  markers: Markers;
};

export type HistoryRow = Selectable<History>;
export type NewSave = Insertable<Saves>;
export type SaveRow = Selectable<Saves>;
export type ConnectionRow = Selectable<Connections>;
