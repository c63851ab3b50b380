import type { ToRegister } from "@/e2e/fixtures/direct-service";
import { db } from "@/lib/platform/database/open";
import { changeTypes, loadKnown } from "@/lib/webhooks/server/observe/observed";
import { connectionRefOnTrust, readNow } from "@/lib/webhooks/server/observe/reading";
import type { TestPartner } from "./world";

/** As `partner.register`, but as if Gancho had sent it, so that Gancho knows the value. */
export async function registerKnown(partner: TestPartner, body: ToRegister): Promise<void> {
  await partner.register(body);
  const connectionRef = await connectionRefOnTrust(partner.id, partner.environment);
  await readNow(connectionRef, { requestId: "test-register" });
  const known = await loadKnown(db(), connectionRef);
  const isStored = await db()
    .transaction()
    .execute((trx) =>
      changeTypes(trx, connectionRef, known, (observed) => ({
        ...observed,
        sentValue: observed.shown?.state?.fingerprint ?? null,
        settled: observed.shown?.state,
        difference: null,
        asker: { changeId: "a save that is gone", who: null },
        sentNone: observed.shown?.state?.fingerprint === null,
        hadValue: typeof observed.shown?.state?.fingerprint === "string",
      })),
    );
  if (!isStored) throw new Error("not stored");
}
