import "server-only";
import type { Database } from "@/lib/db/schema";
import type { Transaction } from "kysely";
import { closeUnsettled, recordEnding, verdictsOf, type OpenSave } from "./save-record";

/**
 * Ends saves that no later look can settle any more, because from now on the service is asked as another client. One of
 * which nothing was sent was not saved; of the others the outcome stays unknown. Only for the holder of the lock.
 */
export async function abandonSaves(
  trx: Transaction<Database>,
  open: readonly OpenSave[],
): Promise<void> {
  for (const save of open) {
    if (save.state === "recorded") {
      const verdicts = verdictsOf(save, save.before);
      await recordEnding(trx, save, { verdicts, reason: "not_saved" });
    } else if (save.state === "sent") {
      const verdicts = verdictsOf(save, null);
      await recordEnding(trx, save, { verdicts, reason: "outcome_unknown" });
    }
    await closeUnsettled(trx, save.id);
  }
}
