import * as real from "../timings";

export * from "../timings";

/**
 * In place of the real timings: pauses last a twentieth, since tests are about the order of events. Limits are the real
 * ones, for the sake of a busy machine; a test that waits for one shortens it.
 */
const pause = (ms: number) => ms / 20;

const { callTimings: call, saveTimings: save, readerTimings: reader } = real;

export const callTimings = { ...call, retryPauseMs: pause(call.retryPauseMs) };

/** What a person does first in a test, and what they do next, are never the same moment. */
export const readTimings = { ...real.readTimings, betweenReadingsMs: 0 };

export const saveTimings = {
  ...save,
  fetchAgainAfterMs: save.fetchAgainAfterMs.map(pause),
};

export const readerTimings = { roundMs: pause(reader.roundMs), leaseMs: pause(reader.leaseMs) };
