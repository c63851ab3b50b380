import "server-only";
import { db } from "@/lib/platform/database/open";
import { currentViewer } from "./viewer";

/** A support person's view of one partner, until it ends or expires. Timestamps in milliseconds. */
export type SupportView = {
  id: string;
  partner: { id: string; name: string };
  reason: string;
  startedAt: number;
  expiresAt: number;
};

/** The person's views that are open now, the newest first. */
export async function openSupportViews(userId: string, now = Date.now()): Promise<SupportView[]> {
  const rows = await db()
    .selectFrom("support_views")
    .innerJoin("partners", "partners.id", "support_views.partner_id")
    .select([
      "support_views.id",
      "support_views.partner_id",
      "partners.name",
      "support_views.reason",
      "support_views.started_at",
      "support_views.expires_at",
    ])
    .where("support_views.user_id", "=", userId)
    .where("support_views.ended_at", "is", null)
    .where("support_views.expires_at", ">", now)
    .orderBy("support_views.started_at", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    partner: { id: row.partner_id, name: row.name },
    reason: row.reason,
    startedAt: row.started_at,
    expiresAt: row.expires_at,
  }));
}

/** The open view of this partner for the signed-in support person; null where there is none. */
export async function currentSupportView(partnerId: string): Promise<SupportView | null> {
  const viewer = await currentViewer();
  if (viewer?.staffRole !== "support") return null;
  const views = await openSupportViews(viewer.id);
  return views.find((view) => view.partner.id === partnerId) ?? null;
}
