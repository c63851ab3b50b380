import "server-only";
import type { StaffAccessTo } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import { randomUUID } from "node:crypto";
import { endViews } from "./end-view";
import { presentView } from "./present-view";
import type { ShownSupportView, SupportViewRequest } from "@/lib/support/model/support-view";

/** Milliseconds. Whoever needs longer says again what for. */
const viewMs = 30 * 60_000;

/**
 * Lets a person of support look at a partner, read-only, and tells the partner so in its own history. One that is open
 * already ends.
 */
export async function openSupportView(
  { viewer, partner }: StaffAccessTo<"support_view.open">,
  { reason }: SupportViewRequest,
  context: RequestContext,
): Promise<ShownSupportView> {
  const startedAt = Date.now();
  const view = { id: randomUUID(), partner, reason, startedAt, expiresAt: startedAt + viewMs };
  const actor = actorOf(viewer, context);
  await db()
    .transaction()
    .execute(async (trx) => {
      await endViews(trx, { partnerId: partner.id, actor, requestId: context.requestId });
      await trx
        .insertInto("support_views")
        .values({
          id: view.id,
          user_id: viewer.id,
          partner_id: partner.id,
          reason,
          started_at: view.startedAt,
          expires_at: view.expiresAt,
          ended_at: null,
        })
        .execute();
      await recordHistory(trx, {
        partnerId: partner.id,
        environment: null,
        kind: "support_view_opened",
        types: [],
        actor,
        requestId: context.requestId,
        outcome: null,
        detail: { viewId: view.id, reason, expiresAt: view.expiresAt },
      });
    });
  return presentView(view);
}
