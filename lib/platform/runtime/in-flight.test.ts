import { expect, it } from "vitest";
import { inFlight, untilDone } from "./in-flight";

function work() {
  let end: (() => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });
  return {
    promise: inFlight(promise),
    end: () => end?.(),
    fail: () => fail?.(new Error("made up")),
  };
}

it("is done when everything in flight has ended, with success or failure, whatever began meanwhile", async () => {
  const [first, second] = [work(), work()];
  let done = false;
  const waiting = untilDone(20_000).then(() => (done = true));
  const later = work();
  first.end();
  await first.promise;
  expect(done).toBe(false);
  second.fail();
  await expect(second.promise).rejects.toThrow("made up");
  await waiting;
  later.end();
});

it("does not wait where nothing is in flight, and never for ever", async () => {
  await untilDone(20_000);
  const never = work();
  await untilDone(10);
  never.end();
});
