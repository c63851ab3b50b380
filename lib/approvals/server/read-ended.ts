import "server-only";
import { may } from "@/lib/platform/access/model/roles";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db } from "@/lib/platform/database/open";
import { timeOfDay } from "@/lib/platform/database/steady-clock";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { proposedUrl } from "@/lib/webhooks/server/proposals/webhook-proposals";
import { isAddressOnly } from "@/lib/webhooks/model/save-end";
import { isOpen } from "@/lib/webhooks/server/read/reconcile";
import { requireOperation } from "@/lib/webhooks/server/save/operation";
import { statusIn } from "@/lib/webhooks/server/save/save-record";
import { sql } from "kysely";
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
 * How the person's own proposals ended, until dismissed, and how much waits here. Leaves out those that they withdrew or
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
    rows.flatMap(({ decided_by_id: id, decided_by: name }) =>
      id === null || name === null ? [] : [{ id, name }],
    ),
  );
  return {
    waiting: await countWaiting(access, ref),
    credentialsBy: credentials?.shown.by.name ?? null,
    ended: rows.map((row) => present(row, nameOf)),
  };
}

/** Those that this person can decide: not their own, and new credentials only as an admin. */
async function countWaiting(
  { role, viewer }: PartnerAccess<"proposals.follow">,
  { partnerId, environment }: EnvironmentRef,
): Promise<number> {
  if (!may(role, "webhooks.approve")) return 0;
  const { count } = await db()
    .selectFrom("changes")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("partner_id", "=", partnerId)
    .where("environment", "=", environment)
    .where("state", "=", sql.lit("waiting"))
    .where("expires_at", ">", timeOfDay())
    .where("author_id", "!=", viewer.id)
    .$if(!may(role, "connection.read"), (query) => query.where("kind", "=", "webhooks"))
    .executeTakeFirstOrThrow();
  return Number(count);
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
    .where("id", "=", requireOperation(proposal))
    .where("author_id", "=", access.viewer.id)
    .where("decided_at", "is not", null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) throw new ProblemError("not_found", { applied: "no" });
}

type NameOf = (person: { id: string; name: string }) => string;

function present(row: ProposalRow, nameOf: NameOf): EndedProposal {
  const { decided_by_id: id, decided_by: name } = row;
  const state = decisionOn(row);
  if (state === null) throw new Error("a proposal that waits has an end");
  return {
    id: row.id,
    state,
    at: new Date(row.decided_at ?? 0).toISOString(),
    by: id === null || name === null ? name : nameOf({ id, name }),
    reason: row.decision_reason,
    about:
      row.applies_to === null
        ? { kind: "connection", clientId: row.client_id }
        : { kind: "webhooks", type: row.applies_to, url: proposedUrl(row) },
    save: saveOf(row),
  };
}

function saveOf(row: ProposalRow): EndedProposal["save"] {
  const status = statusIn(row);
  if (!status) return null;
  return isAddressOnly({ ...status, open: isOpen(status.results) })
    ? "address_only"
    : status.outcome;
}
