import "server-only";
import { setTimeout as pause } from "node:timers/promises";
import type { Deadline } from "./deadline";
import { look, type Place } from "./look";
import { verdictsOf, type SaveRecord, type States } from "./save-record";
import { stateOf } from "./state";
import type { Snapshot } from "./snapshot";
import { webhookTypes } from "./types";
import { outcomeOf } from "./verdict";

/** When each look begins, in milliseconds after the write ended: a service may need a moment to show what it took. */
const pausesMs = [0, 600, 1_800];
/** Less than this is no time for an answer. */
const leastMs = 200;

/**
 * Looks until the service shows the wish, at most three times within the deadline. `certain`: the service surely did
 * not take the write, so one look is enough. null where the last look failed, or can be read in two ways: what an earlier
 * one saw before the service may have applied the write says nothing of the end.
 */
export async function readBack(
  place: Place,
  record: SaveRecord,
  options: { requestId: string; certain: boolean; deadline: Deadline },
): Promise<Snapshot | null> {
  let last: Snapshot | null = null;
  for (const wait of options.certain ? pausesMs.slice(0, 1) : pausesMs) {
    if (options.deadline.remaining() < wait + leastMs) break;
    await pause(wait);
    const seen = await look(place, {
      requestId: options.requestId,
      timeoutMs: options.deadline.remaining(),
    });
    last = seen.ok && !seen.snapshot.unclear ? seen.snapshot : null;
    if (!last) continue;
    const verdicts = verdictsOf(record, statesOf(last));
    if (outcomeOf(verdicts.map((verdict) => verdict.outcome)) === "saved") break;
  }
  return last;
}

export function statesOf(snapshot: Snapshot): States {
  return webhookTypes.map((type) => ({ type, state: stateOf(snapshot.webhooks[type]) }));
}
