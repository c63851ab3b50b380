import "server-only";
import { afterCommit } from "@/lib/platform/database/after-commit";
import type { Database } from "@/lib/platform/database/schema";
import { inFlight } from "@/lib/platform/runtime/in-flight";
import type { Transaction } from "kysely";
import { sendAccountMail, type AccountNews, type Addressee } from "./account-mail";

/**
 * Tells somebody by mail, where mail is set up, what the transaction did with their account; nothing where it is rolled
 * back. Nobody waits for the mail server.
 */
export async function notifyByMail(
  trx: Transaction<Database>,
  { name, email }: Addressee,
  news: AccountNews,
): Promise<void> {
  await afterCommit(trx, async () => {
    void inFlight(sendAccountMail({ name, email }, { kind: news }));
  });
}
