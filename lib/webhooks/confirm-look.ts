import "server-only";
import { db } from "@/lib/db/open";
import type { Database } from "@/lib/db/schema";
import type { WebhookChange } from "@/lib/history/entry";
import { recordHistory } from "@/lib/history/record";
import { noteSeen } from "@/lib/partners/overview";
import type { Transaction } from "kysely";
import { storeConfirmed, type Confirmed, type LastChanges } from "./confirmed";
import type { Place } from "./look";
import {
  closeUnsettled,
  recordEnding,
  verdictsOf,
  type Ending,
  type OpenSave,
  type SaveRecord,
} from "./save-record";
import { seenIn } from "./seen";
import type { Snapshot } from "./snapshot";
import { sameState, stateOf } from "./state";
import { webhookTypes } from "./types";
import { outcomeOf } from "./verdict";

/** After this long the service is taken not to apply a request of ours any more (requests end after 10 s). */
const lateApplyMs = 60_000;

/** A save that this look settles, and how. */
export type Settled = { save: SaveRecord; ending: Ending };

/**
 * Makes a look at the service the confirmed configuration, in one transaction with all that it tells:
 * how `ended`, the caller's own save, ended; how older saves left open by a crash or an unknown outcome ended;
 * and, for what none of these explains, that it was changed outside Gancho. The very first look is only remembered.
 * Returns what is confirmed afterwards, or null when a newer look was stored meanwhile: the caller then looks again.
 */
export async function confirmLook(
  place: Place,
  before: Confirmed | null,
  snapshot: Snapshot,
  open: readonly OpenSave[],
  ended: Settled | null = null,
): Promise<Confirmed | null> {
  const confirmedAt = Date.now();
  const settled = [...open.flatMap((save) => settle(save, snapshot)), ...(ended ? [ended] : [])];
  const { clientId } = place.connection;
  const { outside, lastChanges } = explain({ before, snapshot, settled, confirmedAt, clientId });
  return db()
    .transaction()
    .execute(async (trx) => {
      const stored = await storeConfirmed(trx, place.connection, before, {
        snapshot,
        lastChanges,
        confirmedAt,
      });
      if (!stored) return null;
      await noteSeen(trx, place, seenIn(snapshot));
      for (const { save, ending } of settled) await end(trx, save, ending, open);
      if (outside.length > 0) await recordOutside(trx, place, outside);
      return { snapshot, lastChanges, confirmedAt, epoch: (before?.epoch ?? 0) + 1, clientId };
    });
}

/**
 * What a look says of a save that is still open. Never sent: not saved. Sent: the wish is there, or what was before is
 * and it is too late for the service to apply it. Anything else stays open, or ends unknown when something else
 * stands there now. A look that can be read in two ways settles nothing that was sent.
 */
function settle(save: OpenSave, snapshot: Snapshot): Settled[] {
  const states = webhookTypes.map((type) => ({ type, state: stateOf(snapshot.webhooks[type]) }));
  if (save.state === "recorded")
    return [{ save, ending: { verdicts: verdictsOf(save, save.before), reason: "not_saved" } }];
  if (snapshot.unclear) return [];
  const verdicts = verdictsOf(save, states);
  const outcome = outcomeOf(verdicts.map((verdict) => verdict.outcome));
  if (outcome === "not_saved" && save.sinceSentMs < lateApplyMs) return [];
  const reason = {
    saved: null,
    unchanged: null,
    partial: "partly_saved",
    not_saved: "not_saved",
    unknown: "outcome_unknown",
  } as const;
  return [{ save, ending: { verdicts, reason: reason[outcome] } }];
}

type Compared = {
  before: Confirmed | null;
  snapshot: Snapshot;
  settled: readonly Settled[];
  confirmedAt: number;
  clientId: string;
};

/**
 * Splits what differs from the look before into what our own saves did and what somebody else did. What another client
 * of the service was shown is no measure, nor is what could be read in two ways: where it differs, nobody need have
 * changed anything.
 */
function explain({ before, snapshot, settled, confirmedAt: at, clientId }: Compared) {
  const lastChanges: LastChanges = {};
  const outside: WebhookChange[] = [];
  const sameClient = before?.clientId === clientId || before?.clientId === null;
  const comparable = sameClient && !before?.snapshot.unclear;
  for (const type of webhookTypes) {
    const was = stateOf(before?.snapshot.webhooks[type]);
    const is = stateOf(snapshot.webhooks[type]);
    const author = settled.findLast(({ ending }) =>
      ending.verdicts.some(
        (v) => v.type === type && (v.outcome === "created" || v.outcome === "overwritten"),
      ),
    );
    const earlier = before?.lastChanges[type];
    if (author) lastChanges[type] = { at, ...namesIn(author.save) };
    else if (!before || sameState(was, is)) {
      if (earlier) lastChanges[type] = earlier;
    } else if (comparable) {
      lastChanges[type] = { at, by: null };
      outside.push({ type, outcome: "seen", before: was, after: is });
    }
  }
  return { lastChanges, outside };
}

function namesIn({ actor, proposal }: SaveRecord) {
  return proposal ? { by: proposal.author.name, approvedBy: actor.name } : { by: actor.name };
}

async function end(
  trx: Transaction<Database>,
  save: SaveRecord,
  ending: Ending,
  open: readonly OpenSave[],
) {
  const told = open.find(({ id }) => id === save.id)?.state === "unknown";
  const unknown = ending.verdicts.some((verdict) => verdict.outcome === "unknown");
  if (told && unknown) await closeUnsettled(trx, save.id);
  else await recordEnding(trx, save, ending);
}

async function recordOutside(
  trx: Transaction<Database>,
  place: Place,
  changes: WebhookChange[],
): Promise<void> {
  await recordHistory(trx, {
    partnerId: place.partnerId,
    environment: place.environment,
    kind: "changed_outside",
    types: changes.map((change) => change.type),
    actor: null,
    requestId: null,
    outcome: "seen",
    detail: { changes },
  });
}
