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

it("is done when all that was under way has ended, well or badly, whatever was begun meanwhile", async () => {
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

it("has nothing to wait for where nothing is under way, and does not wait for ever", async () => {
  await untilDone(20_000);
  const never = work();
  await untilDone(10);
  never.end();
});
