import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { isOnlyValue } from "@/lib/history/model/only-value";
import type { Alert, AlertChange } from "@/lib/alerts/model/alert";
import { enqueueAlert } from "@/lib/alerts/server/enqueue";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { people } from "@/lib/platform/secrets/model/people";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import type { Transaction } from "kysely";
import type { HistoryDetail, HistoryKind } from "@/lib/history/model/entry";
import { originOf } from "./origin";
import type { NewHistoryEntry } from "./record";

type Entry<Kind extends HistoryKind> = Extract<NewHistoryEntry, { kind: Kind }>;
type AlertOf = Alert | null | Promise<Alert | null>;
type AlertsByKind = {
  [Kind in HistoryKind]?: (entry: Entry<Kind>, trx: Transaction<Database>) => AlertOf;
};

/** Enqueues the alert of an entry, if its kind has one, in its transaction. */
export async function enqueueAlertFor(
  trx: Transaction<Database>,
  entry: NewHistoryEntry,
): Promise<void> {
  const alertOf = alertsByKind[entry.kind] as
    ((entry: NewHistoryEntry, trx: Transaction<Database>) => AlertOf) | undefined;
  const alert = await alertOf?.(entry, trx);
  if (alert) await enqueueAlert(trx, alert);
}

/** The alert of each kind of entry that has one. */
const alertsByKind: AlertsByKind = {
  save_shown: ({ detail, actor, ...entry }) => {
    const seen = detail.changes.map(asShown);
    const changes = seen.filter(({ moved, without }) => moved || without);
    if (changes.length === 0 || !isProduction(entry) || !actor) return null;
    const proposedBy = detail.proposal?.author.id ?? null;
    return {
      kind: changes.some(({ moved }) => moved) ? "address_changed" : "authorization_removed",
      ...environmentRef(entry),
      changes,
      by: actor.id,
      proposedBy,
    };
  },
  proposal_made: ({ detail, ...entry }) => ({
    kind: "approval_waits",
    ...environmentRef(entry),
    changes: detail.changes.map(asChange),
    by: detail.proposal.author.id,
    until: detail.expiresAt,
  }),
  proposal_ended: (entry) => decided("callback", entry),
  changed_outside: async ({ detail, ...entry }, trx) => {
    const before = await outsideThisHour(trx, entry);
    if (before >= maxOutside) return null;
    const isLast = before === maxOutside - 1;
    const changes = detail.changes.map((change) => ({
      ...asChange(change),
      ...(isOnlyValue(change) && { value: "other" as const }),
    }));
    return {
      kind: "changed_outside",
      ...environmentRef(entry),
      changes,
      ...(isLast && { isLast }),
    };
  },
  authorization_reveal: ({ outcome, actor, types, ...entry }) => {
    const type = webhookTypes.find((known) => known === types[0]);
    if (outcome !== "revealed" || !actor || !type) return null;
    return { kind: "authorization_revealed", ...environmentRef(entry), type, by: actor.id };
  },

  connection_changed: ({ outcome, detail, actor, ...entry }) => {
    const { clientIdBefore, clientIdAfter, secretReplaced, proposal, reason } = detail;
    if (outcome !== "replaced" || clientIdBefore === null || !isProduction(entry)) return null;
    const credentials = { clientIdBefore, clientIdAfter, secretReplaced };
    const who = { by: actor?.id ?? null, proposedBy: proposal?.author.id ?? null };
    const why = reason !== undefined && { reason };
    return {
      kind: "credentials_replaced",
      ...environmentRef(entry),
      ...credentials,
      ...who,
      ...why,
    };
  },
  connection_proposal_made: ({ detail, ...entry }) => {
    const { clientIdBefore, clientIdAfter, secretReplaced } = detail;
    return {
      kind: "credentials_proposed",
      ...environmentRef(entry),
      clientIdBefore,
      clientIdAfter,
      secretReplaced,
      by: detail.proposal.author.id,
      until: detail.expiresAt,
    };
  },
  // Approved credentials have the alert of `connection_changed`.
  connection_proposal_ended: (entry) =>
    entry.outcome === "approved" ? null : decided("credentials", entry),
  four_eyes_changed: ({ outcome, partnerId, detail }) =>
    outcome === "lifted"
      ? { kind: "four_eyes_lifted", partnerId, reason: detail.reason ?? "" }
      : null,

  invitation_accepted: ({ partnerId, detail, actor }) =>
    detail.role === "admin" && !detail.already && actor
      ? { kind: "admin_added", partnerId, memberId: detail.userId, name: detail.userId, by: null }
      : null,
  member_role_changed: ({ partnerId, detail, actor }) => {
    const { userId: memberId, before, after } = detail;
    const who = { partnerId, memberId, name: memberId, by: actor?.id ?? null };
    if (after === "admin") return { kind: "admin_added", ...who };
    return before === "admin" ? { kind: "admin_removed", ...who, role: after } : null;
  },
  membership_claimed: ({ partnerId, detail }) => {
    const { userId: memberId, before, after } = detail;
    if (before === after) return null;
    const who = { partnerId, memberId, name: memberId, by: null, claimed: true } as const;
    if (after === "admin") return { kind: "admin_added", ...who };
    return before === "admin" ? { kind: "admin_removed", ...who, role: after } : null;
  },
  member_removed: ({ partnerId, detail, actor }) => {
    const { userId: memberId, role } = detail;
    if (role !== "admin") return null;
    const who = { partnerId, memberId, name: memberId, by: actor?.id ?? null };
    return { kind: "admin_removed", ...who, role: null };
  },
  member_left: ({ partnerId, detail }) => {
    const { userId: memberId, role } = detail;
    if (role !== "admin") return null;
    const who = { partnerId, memberId, name: memberId, by: memberId };
    return { kind: "admin_removed", ...who, role: null, left: true };
  },

  signed_in: async ({ actor, detail }, trx) => {
    const { knownBrowser, browser, system } = detail;
    if (!actor || knownBrowser !== false || !(await hasSignedInBefore(trx, actor.id))) return null;
    const { id: userId, clientAddress } = actor;
    return { kind: "new_device", userId, browser, system, clientAddress };
  },
  password_changed: ({ actor }) => actor && { kind: "password_changed", userId: actor.id },
  one_time_codes_changed: ({ actor }) => actor && { kind: "codes_changed", userId: actor.id },
  // Only a person who already had an account gains a second way to sign in.
  account_linked: ({ detail }) =>
    detail.ofNewAccount ? null : { kind: "account_linked", userId: detail.userId },
  email_changed: ({ detail }) => ({ kind: "email_changed", userId: detail.userId }),
  passkey_added: ({ actor }) => actor && { kind: "passkey_added", userId: actor.id },
  passkey_removed: ({ actor }) => actor && { kind: "passkey_removed", userId: actor.id },
  one_time_codes_reset: ({ detail }) => ({ kind: "codes_changed", userId: detail.userId }),
  passkeys_reset: ({ detail }) => ({ kind: "passkeys_reset", userId: detail.userId }),
  account_unlinked: ({ detail }) => ({ kind: "account_unlinked", userId: detail.userId }),
};

type OfEnvironment = { partnerId: string; environment: string | null };

function environmentRef({ partnerId, environment }: OfEnvironment) {
  return { partnerId, environment: environment ?? "" };
}

function isProduction({ environment }: Pick<OfEnvironment, "environment">): boolean {
  return env().productionEnvironments.has(environment ?? "");
}

/** No alert for withdrawing or replacing: authors mostly do that themselves, and Approvals shows it. */
function decided(
  about: "callback" | "credentials",
  { outcome, detail, actor, ...entry }: Entry<"proposal_ended" | "connection_proposal_ended">,
): Alert | null {
  if (outcome !== "approved" && outcome !== "rejected" && outcome !== "expired") return null;
  const { id } = detail.proposal.author;
  const author = { id, name: id };
  const end = { outcome, by: actor?.id ?? null, reason: detail.reason ?? null } as const;
  return { kind: "approval_decided", ...environmentRef(entry), about, author, ...end };
}

type Change = Pick<HistoryDetail["proposal_made"]["changes"][number], "type" | "before" | "after">;

/** The origins of the callbacks: no path, no query and no value. */
function asChange({ type, before, after }: Change): AlertChange {
  const [was, is] = [before && originOf(before.callbackUrl), after && originOf(after.callbackUrl)];
  return { type, before: was, after: is, moved: was !== is };
}

function asShown(change: HistoryDetail["save_shown"]["changes"][number]): AlertChange {
  const { value, after } = change;
  // Where it shows another value, the one that was to go is still there.
  const without = after?.fingerprint === null && value !== "other";
  return { ...asChange(change), ...(value && { value }), ...(without && { without }) };
}

/**
 * The most outside changes within an hour that raise alerts, for each connection. Anybody with its credentials can make
 * any number of changes, and each would be a permanent entry, a mail to every admin and a call to the operators.
 */
export const maxOutside = 20;

/** How many entries of the last hour report outside changes; counts to `maxOutside` at most. */
export async function outsideThisHour(
  trx: Transaction<Database>,
  entry: OfEnvironment,
): Promise<number> {
  const newest = await trx
    .selectFrom("history")
    .select("at")
    .where("partner_id", "=", entry.partnerId)
    .where("environment", "=", entry.environment)
    .where("kind", "=", "changed_outside")
    .orderBy("seq", "desc")
    .limit(maxOutside)
    .execute();
  const anHourAgo = databaseTime() - 60 * 60_000;
  return newest.filter(({ at }) => at > anHourAgo).length;
}

/** An account's first sign-in is always in a new browser, and needs no alert. */
async function hasSignedInBefore(trx: Transaction<Database>, userId: string): Promise<boolean> {
  const entry = await trx
    .selectFrom("history")
    .select("seq")
    .where("partner_id", "=", people)
    .where("actor_id", "=", userId)
    .where("kind", "=", "signed_in")
    .limit(1)
    .executeTakeFirst();
  return entry !== undefined || (await isFromBeforeTheFirstEntry(trx, userId));
}

/**
 * A person whose account is older than the oldest entry may have signed in before: the entries of that time were
 * removed.
 */
async function isFromBeforeTheFirstEntry(
  trx: Transaction<Database>,
  userId: string,
): Promise<boolean> {
  const checkpoint = await trx
    .selectFrom("history_checkpoints")
    .select("seq")
    .where("partner_id", "=", people)
    .executeTakeFirst();
  if (!checkpoint) return false;
  const first = await trx
    .selectFrom("history")
    .select("at")
    .where("partner_id", "=", people)
    .orderBy("seq")
    .limit(1)
    .executeTakeFirst();
  const user = await trx
    .selectFrom("users")
    .select("created_at")
    .where("id", "=", userId)
    .executeTakeFirst();
  return user !== undefined && first !== undefined && user.created_at <= first.at;
}
