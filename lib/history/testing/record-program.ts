import { recordHistory } from "@/lib/history/server/record/record";
import { afterCommit } from "@/lib/platform/database/tracked";
import { db } from "@/lib/platform/database/open";
import { inTransaction } from "@/lib/platform/database/testing/rows";
import { aSave, record } from "./history-world";

/** Records entries of the named chain, then, where asked, one more, and is killed before it can log that. */
const [, , chain = "", count, isKilled] = process.argv;
for (let i = 0; i < Number(count); i += 1) await record(aSave(chain));
if (isKilled)
  await inTransaction(async (trx) => {
    await afterCommit(trx, async () => void process.kill(process.pid, "SIGKILL"));
    await recordHistory(trx, aSave(chain));
  });
await db().destroy();
