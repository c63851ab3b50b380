import { requirePartner } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { typesOf, type AppliesTo } from "@/lib/platform/payment-service/contract/terms";
import { Secret } from "@/lib/platform/runtime/secret";
import { lockConnection } from "@/lib/webhooks/server/observe/connection-lock";
import { connectionRefOnTrust } from "@/lib/webhooks/server/observe/reading";
import { fingerprintOrNull } from "@/lib/webhooks/server/observe/remote-state";
import { recordIntent, recordOf, type LockedSave } from "@/lib/webhooks/server/save/intent";
import type { Transaction } from "kysely";
import { randomUUID } from "node:crypto";
import { partner, url } from "./in-world";
import { signInAs } from "./signed-in";

type Stalled = {
  person: string;
  type?: AppliesTo;
  address?: string;
  value?: string;
  changeId?: string;
  approval?: LockedSave["approval"];
  withIt?: (trx: Transaction<Database>) => Promise<void>;
};

/** A person's save whose process recorded the intent, and stalled until its lock expired. */
export async function recordAndStall({
  person,
  type = "both",
  address = url,
  value,
  changeId = randomUUID(),
  approval = null,
  withIt = () => Promise.resolve(),
}: Stalled) {
  signInAs(person);
  const access = await requirePartner(partner.id, "webhooks.write");
  const connectionRef = await connectionRefOnTrust(partner.id, partner.environment);
  const lease = await lockConnection(partner.connectionId, 0);
  if (!lease) throw new Error("another save holds the lock");
  const typed = value === undefined ? null : new Secret(value);
  const fingerprint = await fingerprintOrNull(db(), partner.id, typed);
  const desired = { callbackUrl: address, fingerprint };
  const authorization =
    value === undefined ? ({ action: "remove" } as const) : ({ action: "replace", value } as const);
  const submission: LockedSave = {
    access,
    connectionRef,
    lease,
    request: { type, url: address, authorization },
    changeId,
    context: { requestId: "crashed", clientAddress: null },
    approval,
  };
  const plan = typesOf(type).map((each) => ({ type: each, before: null, desired, changes: true }));
  const record = recordOf(submission, plan);
  const sent = await recordIntent(submission, record, { withIt, beforeCommit: () => undefined });
  await lease.release();
  return { record: sent, lease };
}
