import "server-only";
import type { StaffAccessTo } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/schema";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf, recordHistory, type Actor } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";

/** Ends the person's view of this partner before its time; does nothing where none is open. */
export async function endSupportView(
  { viewer, partner }: StaffAccessTo<"support_view.open">,
  context: RequestContext,
): Promise<void> {
  const actor = actorOf(viewer, context);
  await db()
    .transaction()
    .execute((trx) =>
      endViews(trx, { partnerId: partner.id, actor, requestId: context.requestId }),
    );
}

/** Ends what is open of the actor's views of the partner, and records each. Takes the right to do so on trust. */
export async function endViews(
  trx: Transaction<Database>,
  { partnerId, actor, requestId }: { partnerId: string; actor: Actor; requestId: string },
): Promise<void> {
  const now = Date.now();
  const ended = await trx
    .updateTable("support_views")
    .set({ ended_at: now })
    .where("user_id", "=", actor.id)
    .where("partner_id", "=", partnerId)
    .where("ended_at", "is", null)
    .where("expires_at", ">", now)
    .returning("id")
    .execute();
  for (const { id } of ended)
    await recordHistory(trx, {
      partnerId,
      environment: null,
      kind: "support_view_ended",
      types: [],
      actor,
      requestId,
      outcome: null,
      detail: { viewId: id },
    });
}
