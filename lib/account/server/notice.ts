import "server-only";
import type { OwnAccount } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";

/** Whoever asks has read what they were to be told. */
export async function dismissNotice({ viewer }: OwnAccount): Promise<void> {
  await db()
    .updateTable("users")
    .set({ unread_notice: null })
    .where("id", "=", viewer.id)
    .execute();
}
