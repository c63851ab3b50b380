import "server-only";
import { recordFault } from "@/lib/partners/server/list/overview";
import { holdLease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { typesOf } from "@/lib/platform/payment-service/contract/terms";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import { saveTimings } from "@/lib/platform/runtime/timings";
import type { WebhookVersions } from "@/lib/webhooks/model/webhook-version";
import {
  loadKnown,
  momentOf,
  type Known,
  type LastLook,
} from "@/lib/webhooks/server/observe/observed";
import {
  interpret,
  isNothingNew,
  recordOwnLook,
  type Fetched,
} from "@/lib/webhooks/server/observe/record-look";
import {
  fetchRemoteState,
  versionsOf,
  type ConnectionRef,
} from "@/lib/webhooks/server/observe/remote-state";
import { followedSaves, type SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import type { Transaction } from "kysely";
import { setTimeout as pause } from "node:timers/promises";
import type { SaveEnd, SaveRun } from "./hold";
import type { ShownState } from "./plan";
import { recordRefused } from "./intent";

/** The look before a save, with which everything is compared. */

/** A look of the list before the save, and what was observed by then; `isNew`: it is still to be stored. */
export type LookBefore = ShownState & {
  known: Known;
  fetched: Fetched;
  saves: readonly SaveRecord[];
  versions: WebhookVersions;
  isNew: boolean;
};

/**
 * Looks until what is shown of the types counts, at most three times. The end of the save where the list cannot be read.
 */
export async function lookBefore(run: SaveRun): Promise<LookBefore | SaveEnd> {
  const { connectionRef, context, request } = run;
  const types = typesOf(request.type);
  for (const wait of saveTimings.fetchAgainAfterMs) {
    await pause(wait);
    const isFirst = wait === saveTimings.fetchAgainAfterMs[0];
    const known = isFirst ? run.known : await loadKnown(db(), connectionRef);
    const { requestId } = context;
    const options = { requestId, timeoutMs: saveTimings.firstFetchMs, ofSave: true } as const;
    const fetched = await fetchRemoteState(connectionRef, known, options);
    if (!fetched.ok) return refuseUnreadable(run, known, fetched.fault);
    // Nobody else can begin one while this save holds the lock.
    const saves = known.isFollowed ? await followedSaves(connectionRef.connection) : [];
    const findings = interpret(known, fetched, saves);
    const { remote } = findings;
    const look: LookBefore = {
      remote,
      values: fetched.values,
      types: findings.types,
      versions: versionsOf(remote),
      known,
      fetched,
      saves,
      isNew: !known.isListed || !isNothingNew(findings, saves),
    };
    // It may come from a lagging replica of the service.
    const isDoubtful = types.some((type) => findings.doubtful.includes(type));
    if (!isDoubtful || wait === saveTimings.fetchAgainAfterMs.at(-1)) return look;
    await storeBefore(run, look);
  }
  throw new Error("a save looked at nothing");
}

/** The look before the save, in the transaction that stores what follows from it. */
export async function recordBefore(
  trx: Transaction<Database>,
  connectionRef: ConnectionRef,
  { known, fetched, saves, isNew }: LookBefore,
): Promise<{ last: LastLook; saves: readonly SaveRecord[] }> {
  const { answeredAt } = fetched;
  if (!isNew && known.last)
    return { last: { ...known.last, moment: momentOf(known, answeredAt), answeredAt }, saves };
  return recordOwnLook(trx, { connectionRef, known, fetched, saves, own: null });
}

/** The same where nothing else is stored with it. */
export async function storeBefore(
  { connectionRef, lease }: SaveRun,
  before: LookBefore,
): Promise<LastLook> {
  return db()
    .transaction()
    .execute(async (trx) => {
      await holdLease(trx, lease);
      return (await recordBefore(trx, connectionRef, before)).last;
    });
}

/** The list could not be read, so nothing was sent. */
async function refuseUnreadable(run: SaveRun, known: Known, fault: Fault): Promise<SaveEnd> {
  const { requestId } = run.context;
  await recordFault(run.connectionRef, { code: fault.code, requestId, epoch: known.epoch });
  const versions = known.last ? versionsOf(known.last.remote) : [];
  const save = await recordRefused(run, versions, fault.code);
  return { kind: "recorded", save, saves: null, last: known.last, fault, unread: true };
}
