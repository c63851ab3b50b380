import "server-only";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db } from "@/lib/platform/database/open";
import { requireChangeId } from "@/lib/webhooks/server/answer/operation";
import { outcomeOf, stateOf } from "@/lib/webhooks/server/observe/said";
import { askedIn, saveIn } from "@/lib/webhooks/server/observe/save-record";
import {
  decisionOn,
  proposals,
  readWaiting,
  type ProposalRow,
} from "@/lib/changes/server/proposals";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { EndedProposal, EndedList } from "@/lib/approvals/model/ended-proposals";

/** The most that the page shows at once; the next ones appear when these are dismissed. */
const maxShown = 10;

/**
 * How the person's own proposals ended, until dismissed. Leaves out those that they withdrew or
 * replaced themselves. Throws `not_found` for an unknown environment.
 */
export async function readEnded(
  access: PartnerAccess<"proposals.follow">,
  environment: string,
): Promise<EndedList> {
  const ref = { partnerId: access.partner.id, environment: requireEnvironment(environment).name };
  const seesCredentials = may(access.role, "connection.read");
  const [credentials] = seesCredentials ? await readWaiting(ref, "credentials") : [];
  const rows = await proposals(db(), ref)
    .where("author_id", "=", access.viewer.id)
    .where("decided_at", "is not", null)
    .where("dismissed_at", "is", null)
    .where("decided_by_id", "is distinct from", access.viewer.id)
    .orderBy("decided_at", "desc")
    .limit(maxShown)
    .execute();
  const nameOf = await distinctNames(
    db(),
    ref.partnerId,
    rows.map((row) => row.decided_by_id),
  );
  return {
    credentialsBy: credentials?.shown.by.name ?? null,
    ended: rows.map((row) => present(row, nameOf)),
  };
}

/** Dismisses the outcome of one's own proposal. Throws `not_found`. */
export async function dismissProposal(
  access: PartnerAccess<"proposals.follow">,
  { environment, proposal }: { environment: string; proposal: string },
): Promise<void> {
  const { numUpdatedRows } = await db()
    .updateTable("changes")
    .set({ dismissed_at: databaseTime() })
    .where("partner_id", "=", access.partner.id)
    .where("environment", "=", requireEnvironment(environment).name)
    .where("id", "=", requireChangeId(proposal))
    .where("author_id", "=", access.viewer.id)
    .where("decided_at", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ProblemError("not_found", { applied: "no" });
}

function present(row: ProposalRow, nameOf: (id: string) => string): EndedProposal {
  const state = decisionOn(row);
  if (state === null) throw new Error("a proposal that waits has an end");
  return {
    id: row.id,
    state,
    at: new Date(row.decided_at ?? 0).toISOString(),
    by: row.decided_by_id && nameOf(row.decided_by_id),
    reason: row.decision_reason,
    about:
      row.applies_to === null
        ? { kind: "connection", clientId: row.client_id }
        : { kind: "webhooks", type: row.applies_to, url: askedIn(row).url },
    save: saveOf(row),
  };
}

function saveOf(row: ProposalRow): EndedProposal["save"] {
  if (row.kind !== "webhooks" || row.answers_json === null) return null;
  return outcomeOf(saveIn(row, 0).types.map(stateOf));
}
