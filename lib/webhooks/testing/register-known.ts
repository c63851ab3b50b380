import { db } from "@/lib/platform/database/open";
import { webhookTypes } from "@/lib/webhooks/model/types";
import { loadLastKnown, storeKnown } from "@/lib/webhooks/server/read/last-known";
import { connectionRefOnTrust, readOnce } from "@/lib/webhooks/server/read/read";
import { registerDirectly } from "./direct-call";
import type { TestPartner } from "./world";

/** The same as `registerDirectly`, as if Gancho had written it: then Gancho knows the value. */
export async function registerKnown(
  sandboxUrl: string,
  partner: TestPartner,
  body: Parameters<typeof registerDirectly>[2],
): Promise<void> {
  await registerDirectly(sandboxUrl, partner, body);
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
