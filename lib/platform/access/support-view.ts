import "server-only";
import { db } from "@/lib/platform/database/open";
import type { Session } from "@/lib/platform/auth/sessions/sessions";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { cache } from "react";
import { mustEnrolFirst, signedIn } from "./viewer";

/** A support person's view of one partner, until it or its session ends, or it expires. `expiresAt` in milliseconds. */
export type SupportView = {
  id: string;
  partner: { id: string; name: string };
  reason: string;
  expiresAt: number;
};

/** The views that were opened in this session and are still open, the newest first. A page reads them once. */
export const openSupportViews = cache(async (session: Session): Promise<SupportView[]> => {
  const { userId, idHash } = session;
  const rows = await db()
    .selectFrom("support_views")
    .innerJoin("partners", "partners.id", "support_views.partner_id")
    .select([
      "support_views.id",
      "support_views.partner_id",
      "partners.name",
      "support_views.reason",
      "support_views.expires_at",
    ])
    .where("support_views.user_id", "=", userId)
    .where("support_views.session_id_hash", "=", idHash)
    .where("support_views.ended_at", "is", null)
    .where("support_views.expires_at", ">", databaseTime())
    .orderBy("support_views.started_at", "desc")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    partner: { id: row.partner_id, name: row.name },
    reason: row.reason,
    expiresAt: row.expires_at,
  }));
});

/** The open view of this partner for the signed-in support person; null where there is none. */
export async function currentSupportView(partnerId: string): Promise<SupportView | null> {
  const person = await signedIn();
  if (!person || mustEnrolFirst(person) || person.viewer.staffRole !== "support") return null;
  const views = await openSupportViews(person.session);
  return views.find((view) => view.partner.id === partnerId) ?? null;
}
