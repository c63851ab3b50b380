import "server-only";
import type { PartnerAccess } from "@/lib/access/require";
import { db } from "@/lib/db/open";
import { confirmLook, type Settled } from "./confirm-look";
import { loadConfirmed, type Confirmed } from "./confirmed";
import type { Deadline } from "./deadline";
import type { Place } from "./look";
import type { Wish } from "./plan";
import { carriedOut, type Approval } from "./proposals/approval";
import type { SaveRequest } from "./rules/save-request";
import type { OpenSave, SaveRecord, States } from "./save-record";
import { fingerprintOrNull, type Snapshot } from "./snapshot";

/** Where a save came from; goes into the history. */
export type SaveContext = { requestId: string; clientAddress: string | null };

/** One save while it holds the lock. */
export type SaveRun = {
  access: PartnerAccess;
  place: Place;
  request: Omit<SaveRequest, "revision">;
  context: SaveContext;
  deadline: Deadline;
  /** Whose proposal it carries out; null for what a person does on their own. */
  approval: Approval | null;
};

/** What is recorded before anything is sent. */
export async function intentOf(
  { access, place, request, context, approval }: SaveRun,
  wishes: readonly Wish[],
  before: States,
): Promise<Omit<SaveRecord, "id">> {
  const actor = {
    id: access.viewer.id,
    name: access.viewer.name,
    clientAddress: context.clientAddress,
  };
  return {
    partnerId: place.partnerId,
    environment: place.environment,
    connectionId: place.connection.id,
    requestId: context.requestId,
    actor,
    ...carriedOut(approval),
    before: before.filter(({ type }) => wishes.some((wish) => wish.type === type)),
    wishes: await Promise.all(
      wishes.map(async ({ type, url, authorization }) => ({
        type,
        state: {
          callbackUrl: url,
          fingerprint: await fingerprintOrNull(db(), place.partnerId, authorization),
        },
        ...(request.authorization.action === "replace" && { typed: true }),
      })),
    ),
  };
}

/** Stores a look while the lock is ours: only a reader can have been quicker, so trying again ends soon. */
export async function confirmHolding(
  place: Place,
  snapshot: Snapshot,
  open: readonly OpenSave[],
  ended: Settled | null,
): Promise<Confirmed> {
  for (;;) {
    const before = await loadConfirmed(db(), place.connection.id);
    const confirmed = await confirmLook(place, before, snapshot, open, ended);
    if (confirmed) return confirmed;
  }
}
