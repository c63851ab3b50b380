import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { sql } from "kysely";

/** Rows that name a person. `ofAccount`: they are the account's own, and are deleted with it. */
type Part = {
  table: keyof Database;
  /** The columns by which they do, with the person's id; those of `email` and `address` with their address. */
  by: readonly string[];
  /** What the person gets of them; never a secret or its digest, and nobody else's data. */
  shows: readonly string[];
  ofAccount?: true;
};

/** Where a person is, by the name of each part. What erases a person, and what tells them what is kept, walks these. */
export const personParts = {
  account: {
    table: "users",
    by: ["id"],
    shows: ["id", "email", "name", "staff_role", "locale", "created_at", "disabled_at"],
  },
  formerNames: {
    table: "former_names",
    by: ["user_id"],
    shows: ["name", "changed_at"],
    ofAccount: true,
  },
  sessions: {
    table: "sessions",
    by: ["user_id"],
    shows: [
      "signed_in_at",
      "signed_in_by",
      "last_seen_at",
      "absolute_expires_at",
      "revoked_at",
      "ended_because",
      "client_address",
      "user_agent",
      "reauthenticated_at",
      "passkey_at",
    ],
    ofAccount: true,
  },
  pendingSignIns: {
    table: "pending_sign_ins",
    by: ["user_id"],
    shows: ["expires_at", "attempts"],
    ofAccount: true,
  },
  passkeys: {
    table: "passkeys",
    by: ["user_id"],
    shows: ["name", "created_at", "last_used_at"],
    ofAccount: true,
  },
  oneTimeCodes: {
    table: "one_time_codes",
    by: ["user_id"],
    shows: ["created_at", "confirmed_at"],
    ofAccount: true,
  },
  recoveryCodes: { table: "recovery_codes", by: ["user_id"], shows: ["used_at"], ofAccount: true },
  identities: {
    table: "identities",
    by: ["user_id"],
    shows: ["issuer", "subject"],
    ofAccount: true,
  },
  passwordLinks: {
    table: "password_links",
    by: ["user_id"],
    shows: ["created_at", "expires_at", "used_at"],
    ofAccount: true,
  },
  passwordLinksMade: {
    table: "password_links",
    by: ["made_by_id"],
    shows: ["created_at", "expires_at", "used_at"],
  },
  supportViews: {
    table: "support_views",
    by: ["user_id"],
    shows: ["partner_id", "reason", "started_at", "expires_at", "ended_at"],
    ofAccount: true,
  },
  alertsOff: { table: "alerts_off", by: ["user_id"], shows: ["choice"], ofAccount: true },
  memberships: {
    table: "memberships",
    by: ["user_id"],
    shows: ["partner_id", "role", "created_at"],
  },
  admittedBy: {
    table: "access_grants",
    by: ["user_id"],
    shows: ["partner_id", "by_user_id"],
  },
  admitted: {
    table: "access_grants",
    by: ["by_user_id"],
    shows: ["partner_id", "user_id"],
  },
  invitations: {
    table: "invitations",
    by: ["email"],
    shows: [
      "partner_id",
      "email",
      "name",
      "role",
      "created_at",
      "expires_at",
      "mailed_at",
      "accepted_at",
      "revoked_at",
    ],
  },
  invitationsMade: {
    table: "invitations",
    by: ["invited_by_id"],
    shows: ["partner_id", "role", "created_at", "expires_at", "accepted_at", "revoked_at"],
  },
  fourEyesSwitchedOn: {
    table: "partners",
    by: ["four_eyes_by_id"],
    shows: ["id", "four_eyes_since"],
  },
  connections: {
    table: "connections",
    by: ["changed_by_id", "approved_by_id"],
    shows: ["partner_id", "environment", "updated_at"],
  },
  connectionChecks: {
    table: "connection_checks",
    by: ["checked_by_id"],
    shows: ["checked_at", "request_id"],
  },
  changes: {
    table: "changes",
    by: ["author_id"],
    shows: [
      "partner_id",
      "environment",
      "id",
      "kind",
      "state",
      "created_at",
      "reason",
      "client_address",
      "request_id",
    ],
  },
  changesDecided: {
    table: "changes",
    by: ["decided_by_id"],
    shows: [
      "partner_id",
      "environment",
      "id",
      "kind",
      "state",
      "decided_at",
      "decision_reason",
      "client_address",
      "request_id",
    ],
  },
  alerts: {
    table: "alert_deliveries",
    by: ["recipient"],
    shows: ["kind", "created_at", "state", "ended_at"],
  },
  alertAddresses: {
    table: "alert_addresses",
    by: ["address"],
    shows: ["partner_id", "address", "confirmed_at"],
  },
  alertAddressesAdded: {
    table: "alert_addresses",
    by: ["added_by_id"],
    shows: ["partner_id", "confirmed_at"],
  },
  history: {
    table: "history",
    by: ["actor_id", "subject_id"],
    shows: [
      "partner_id",
      "seq",
      "environment",
      "at",
      "kind",
      "types",
      "actor_id",
      "subject_id",
      "client_address",
      "request_id",
      "outcome",
    ],
  },
} as const satisfies Record<string, Part>;

/** The tables whose rows are an account's own. */
export const accountTables = Object.values(personParts as Record<string, Part>).flatMap((part) =>
  part.ofAccount ? part.table : [],
);

type Value = string | number | null;
export type PersonData = Record<string, Record<string, Value>[]>;

/**
 * What is kept of the person with this address (lower-case), part by part: times as ISO 8601, UTC. null: nobody has it,
 * was invited with it, or is alerted at it. Changes nothing.
 */
export async function personData(executor: Executor, email: string): Promise<PersonData | null> {
  const person = await executor
    .selectFrom("users")
    .select("id")
    .where("email", "=", email)
    .executeTakeFirst();
  const data: PersonData = {};
  for (const [name, part] of Object.entries(personParts as Record<string, Part>))
    data[name] = await rowsOf(executor, part, { id: person?.id ?? "", email });
  return Object.values(data).some((rows) => rows.length > 0) ? data : null;
}

const byAddress: ReadonlySet<string> = new Set(["email", "address"]);

async function rowsOf(
  executor: Executor,
  { table, by, shows }: Part,
  { id, email }: { id: string; email: string },
): Promise<Record<string, Value>[]> {
  const names = by.map((column) => sql`${sql.ref(column)} = ${byAddress.has(column) ? email : id}`);
  const { rows } = await sql<Record<string, Value>>`
    select ${sql.join(shows.map((column) => sql.ref(column)))} from ${sql.table(table)}
    where ${sql.join(names, sql` or `)}`.execute(executor);
  return rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, shown(column, value)]),
    ),
  );
}

function shown(column: string, value: Value): Value {
  const isMoment = column === "at" || column === "four_eyes_since" || column.endsWith("_at");
  return isMoment && value !== null ? new Date(Number(value)).toISOString() : value;
}
