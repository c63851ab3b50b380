import { fingerprint } from "@/lib/platform/secrets/partner-mac";
import { db } from "@/lib/platform/database/open";
import { Secret } from "@/lib/platform/runtime/secret";
import { randomUUID } from "node:crypto";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { connectionRefOnTrust } from "@/lib/webhooks/server/read/read";
import { markSent, recordIntent } from "@/lib/webhooks/server/save/save-record";
import type { TestPartner } from "./world";

type Crash = {
  partner: TestPartner;
  state: "recorded" | "sent";
  url: string;
  apply: boolean;
};

/** What a process leaves behind that died at this step of registering both types. */
export async function applyAndCrash({ partner, state, url, apply }: Crash): Promise<void> {
  const { record } = await recordAndStall({ partner, url });
  if (state === "sent") {
    const again = await lockConnection(partner.connectionId, 0);
    if (again) await markSent(record, again);
    await again?.release();
  }
  if (apply) await partner.register({ url, authorization: value });
}

const value = "Bearer crashed";

/** An intent to register both types, and the expired lease under which it was recorded. */
export async function recordAndStall({ partner, url }: Pick<Crash, "partner" | "url">) {
  const desired = {
    callbackUrl: url,
    fingerprint: await fingerprint(db(), partner.id, new Secret(value)),
  };
  const types = ["pix_in", "pix_out"] as const;
  const { connection } = await connectionRefOnTrust(partner.id, partner.environment);
  const lease = await lockConnection(partner.connectionId, 0);
  if (!lease) throw new Error("somebody else is saving");
  const intent = {
    partnerId: partner.id,
    environment: partner.environment,
    connection,
    id: randomUUID(),
    asked: { type: "both", url, authorization: "replace" } as const,
    requestId: "crashed",
    actor: { id: await partner.person("admin"), name: "The admin", clientAddress: null },
    before: types.map((type) => ({ type, state: null })),
    desired: types.map((type) => ({ type, state: desired })),
  };
  const record = await recordIntent(intent, lease);
  await lease.release();
  return { record, lease };
}
