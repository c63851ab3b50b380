import "server-only";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";

/** Whoever asks has read what they were to be told. Throws `signed_out`. */
export async function dismissNotice(): Promise<void> {
  const { viewer } = await requireOwnAccount();
  await db()
    .updateTable("users")
    .set({ unread_notice: null })
    .where("id", "=", viewer.id)
    .execute();
}
