import "server-only";
import { saveOutcomes } from "@/lib/history/model/outcomes";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db } from "@/lib/platform/database/open";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import type { ConnectionProposalRow, ProposalRow } from "@/lib/platform/database/tables";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { EndedProposal, EndedList } from "@/lib/approvals/model/ended-proposals";

/** The page shows so many at once; the next ones appear when these are dismissed. */
const shown = 10;

/**
 * How the person's own proposals ended, as far as they have not dismissed that. They know which they withdrew or
 * replaced themselves. Throws `not_found` for an unknown environment.
 */
export async function readEnded(
  access: PartnerAccess<"proposals.follow">,
  environment: string,
): Promise<EndedList> {
  const mine = {
    partner_id: access.partner.id,
    environment: requireEnvironment(environment).name,
    author_id: access.viewer.id,
  };
  const changes = await db()
    .selectFrom("proposals")
    .selectAll()
    .where((eb) => eb.and(mine))
    .where("ended_at", "is not", null)
    .where("dismissed_at", "is", null)
    .where("ended_by_id", "is distinct from", mine.author_id)
    .orderBy("ended_at", "desc")
    .limit(shown)
    .execute();
  const credentials = await db()
    .selectFrom("connection_proposals")
    .selectAll()
    .where((eb) => eb.and(mine))
    .where("ended_at", "is not", null)
    .where("dismissed_at", "is", null)
    .where("ended_by_id", "is distinct from", mine.author_id)
    .orderBy("ended_at", "desc")
    .limit(shown)
    .execute();
  const nameOf = await distinctNames(
    db(),
    access.partner.id,
    [...changes, ...credentials].flatMap(({ ended_by_id: id, ended_by: name }) =>
      id === null || name === null ? [] : [{ id, name }],
    ),
  );
  return {
    waiting: await countWaiting(access, mine.environment),
    ended: [
      ...(await Promise.all(changes.map((row) => presentChange(row, nameOf)))),
      ...credentials.map((row) => ({
        ...present(row, nameOf),
        about: { kind: "connection" as const, clientId: row.client_id },
        save: null,
      })),
    ],
  };
}

/** Only admins may see credentials. */
async function countWaiting(
  { partner, role }: PartnerAccess<"proposals.follow">,
  environment: string,
): Promise<number> {
  const tables = may(role, "connection.read")
    ? (["proposals", "connection_proposals"] as const)
    : (["proposals"] as const);
  let waiting = 0;
  for (const table of tables) {
    const { count } = await db()
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("partner_id", "=", partner.id)
      .where("environment", "=", environment)
      .where("state", "=", "pending")
      .where("expires_at", ">", timeOfDay())
      .executeTakeFirstOrThrow();
    waiting += Number(count);
  }
  return waiting;
}

/** Dismisses the outcome of one's own proposal. Throws `not_found`. */
export async function dismissProposal(
  access: PartnerAccess<"proposals.follow">,
  { environment, proposal }: { environment: string; proposal: string },
): Promise<void> {
  const mine = {
    id: requireId(proposal),
    partner_id: access.partner.id,
    environment: requireEnvironment(environment).name,
    author_id: access.viewer.id,
  };
  for (const table of ["proposals", "connection_proposals"] as const) {
    const { numUpdatedRows } = await db()
      .updateTable(table)
      .set({ dismissed_at: Date.now() })
      .where((eb) => eb.and(mine))
      .where("state", "!=", "pending")
      .executeTakeFirst();
    if (numUpdatedRows > 0n) return;
  }
  throw new ProblemError("not_found", { applied: "no" });
}

type NameOf = (person: { id: string; name: string }) => string;

/** Columns of both kinds. */
function present(row: ProposalRow | ConnectionProposalRow, nameOf: NameOf) {
  const { state, ended_by_id: id, ended_by: name } = row;
  if (state === "pending") throw new Error("a proposal that waits has an end");
  return {
    id: row.id,
    state,
    at: new Date(row.ended_at ?? row.expires_at).toISOString(),
    by: id === null || name === null ? name : nameOf({ id, name }),
    reason: row.end_reason,
  };
}

async function presentChange(row: ProposalRow, nameOf: NameOf): Promise<EndedProposal> {
  return {
    ...present(row, nameOf),
    about: { kind: "webhooks", type: row.applies_to, url: row.url },
    save: row.state === "approved" ? await outcomeOfSave(row) : null,
  };
}

/**
 * From the history, which names the proposal that a save applied; the newest entry, since a later reading may resolve
 * it.
 */
async function outcomeOfSave(row: ProposalRow): Promise<EndedProposal["save"]> {
  const entry = await db()
    .selectFrom("history")
    .select("outcome")
    .where("partner_id", "=", row.partner_id)
    .where("kind", "=", "save")
    .where("at", ">=", row.ended_at ?? 0)
    .where("detail_json", "like", `%"id":"${row.id}"%`)
    .orderBy("seq", "desc")
    .executeTakeFirst();
  return saveOutcomes.find((outcome) => outcome === entry?.outcome) ?? null;
}
