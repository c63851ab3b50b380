import "server-only";
import { holdLease, type Lease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/schema";
import type { WebhookChange } from "@/lib/history/model/entry";
import { recordHistory } from "@/lib/history/server/record/record";
import { noteSeen } from "@/lib/partners/server/list/overview";
import type { ProblemCode } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import { loadKnown, storeConfirmed, type Confirmed, type Known } from "./confirmed";
import { learnFidelity, type Fidelity } from "./fidelity";
import type { Look, Place } from "./look";
import { isOpen, reconcile, type Reconciled, type Settlement } from "./reconcile";
import {
  followMs,
  recordStanding,
  standingOf,
  type SaveRecord,
  type Standing,
} from "@/lib/webhooks/server/save/save-record";
import { seenIn } from "./record-overview";
import type { State } from "./state";
import type { WebhookType } from "@/lib/webhooks/model/types";

type SuccessfulLook = Extract<Look, { ok: true }>;

export type ConfirmedLook = { confirmed: Confirmed; fidelity: Fidelity; own: Standing | null };

type Given = {
  place: Place;
  /** Loaded before the service was asked. */
  known: Known;
  seen: SuccessfulLook;
  /** Saves that are followed. Only the holder of the connection's lock may give any: who else may say how they ended? */
  saves?: readonly SaveRecord[];
  lease?: Lease | null;
  /** The caller's own save, just sent, and why it may not simply have succeeded. */
  own?: { save: SaveRecord; reasonOf: (outcome: Standing["outcome"]) => ProblemCode | null } | null;
  /** Types that a save which begins now is about. */
  replacing?: readonly WebhookType[];
};

/** What a look says, before anything is stored. */
export function weigh({ known, seen, saves = [], own, replacing = [] }: Given) {
  return reconcile<SaveRecord>({
    known,
    askedAt: seen.askedAt.steady,
    snapshot: seen.snapshot,
    saves,
    own: own?.save ?? null,
    replacing,
    followMs: followMs(),
  });
}

/**
 * Makes a look at the service the confirmed configuration, in one transaction with all that it tells: how the caller's
 * own save stands; how saves that are followed ended; that something was changed outside Gancho; and whether the list
 * can be believed. null when a newer look was stored meanwhile: the caller then looks again. Throws `LeaseLost`.
 */
export async function confirmLook(given: Given): Promise<ConfirmedLook | null> {
  const { place, known, seen, own } = given;
  const weighed = weigh(given);
  const ownResult = weighed.settlements.find(({ save }) => save === own?.save);
  const standing =
    own && ownResult ? standingOf(ownResult.results, own.reasonOf(ownResult.outcome)) : null;
  const confirmed = await db()
    .transaction()
    .execute(async (trx) => {
      if (given.lease) await holdLease(trx, given.lease);
      const { content } = weighed;
      const stored = await storeConfirmed(trx, place, known, { content, askedAt: seen.askedAt });
      if (!stored) return null;
      await noteSeen(trx, place, seenIn(seen.snapshot));
      if (weighed.learned) await learnFidelity(trx, place, weighed.learned);
      for (const settlement of weighed.settlements)
        if (settlement.save !== own?.save) await settle(trx, settlement);
      if (own && standing) await recordStanding(trx, own.save, standing);
      if (weighed.outside.length > 0)
        await recordOutside(trx, place, weighed.outside, weighed.fidelity);
      return stored;
    });
  return confirmed && { confirmed, fidelity: weighed.fidelity, own: standing };
}

/** Whether storing a look would tell anything new. */
export function tellsNothing({ content, outside, settlements, learned }: Reconciled<SaveRecord>) {
  return (
    outside.length === 0 &&
    !learned &&
    Object.keys(content.returned ?? {}).length === 0 &&
    settlements.every(({ save, results }) => sameResults(save, results))
  );
}

/** The same as `confirmLook`, for the holder of the lock: only a reader can have been quicker, so trying again ends soon. */
export async function confirmHolding(given: Given): Promise<ConfirmedLook> {
  for (let known = given.known; ; known = await loadKnown(db(), given.place)) {
    const confirmed = await confirmLook({ ...given, known });
    if (confirmed) return confirmed;
  }
}

async function settle(
  trx: Transaction<Database>,
  { save, results, outcome }: Settlement<SaveRecord>,
): Promise<void> {
  const isLate = save.sinceSentMs >= followMs();
  const attributable =
    !isOpen(results) && !isLate && results.some((result) => result.outcome === "overtaken");
  const closes = save.state === "ended" && !attributable;
  if (sameResults(save, results) && !closes) return;
  const isNews = outcome !== save.outcome && (!isOpen(results) || save.outcome === null);
  // That the outcome stays unknown is an end that somebody waits for; that a refusal stays one is not.
  const isEnd = save.state !== "ended" && !isOpen(results) && outcome === "unknown";
  const reason =
    save.state === "recorded" ? "not_saved" : outcome === "unknown" ? "outcome_unknown" : null;
  const standing = standingOf(results, outcome === "partial" ? "partly_saved" : reason);
  await recordStanding(trx, save, standing, { told: isNews || isEnd, attributable });
}

function sameResults({ results: before, state }: SaveRecord, now: SaveRecord["results"]): boolean {
  return state !== "recorded" && JSON.stringify(before) === JSON.stringify(now);
}

async function recordOutside(
  trx: Transaction<Database>,
  { partnerId, environment }: Place,
  outside: WebhookChange[],
  fidelity: Fidelity,
): Promise<void> {
  const changes = outside.map(({ before, after, ...change }) => ({
    ...change,
    before: asTold(before, fidelity),
    after: asTold(after, fidelity),
  }));
  await recordHistory(trx, {
    partnerId,
    environment,
    kind: "changed_outside",
    types: changes.map((change) => change.type),
    actor: null,
    requestId: null,
    outcome: "seen",
    detail: { changes },
  });
}

/** That no value is set can be told only where the list is known to show those that are. */
function asTold(state: State, fidelity: Fidelity): State {
  const isUnsure = fidelity !== "proven" && state?.fingerprint === null && !state.conflict;
  return isUnsure ? { hidden: "absent", ...state } : state;
}
