import type { ToRegister } from "@/e2e/fixtures/direct-service";
import { db } from "@/lib/platform/database/open";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { loadLastKnown, storeKnown } from "@/lib/webhooks/server/read/last-known";
import { connectionRefOnTrust, readOnce } from "@/lib/webhooks/server/read/read";
import type { TestPartner } from "./world";

/** As `partner.register`, but as if Gancho had written it, so that Gancho knows the value. */
export async function registerKnown(partner: TestPartner, body: ToRegister): Promise<void> {
  await partner.register(body);
  const connectionRef = await connectionRefOnTrust(partner.id, partner.environment);
  await readOnce(connectionRef, { requestId: "test-register" });
  const known = await loadLastKnown(db(), connectionRef);
  const written = Object.fromEntries(
    webhookTypes.flatMap((type) => {
      const webhook = known.confirmed?.remote.webhooks[type];
      return webhook ? [[type, { value: webhook.fingerprint, at: 1, seen: true as const }]] : [];
    }),
  );
  if (!(await storeKnown(db(), connectionRef, known, { written }))) throw new Error("not stored");
}
