import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { inHashingSlot, TooManyHashesError } from "./hashing-slots";

const slots = Math.min(4, availableParallelism());

/** Work that runs until it is told to end. */
function controlled() {
  const running: (() => void)[] = [];
  let peak = 0;
  const work = () =>
    inHashingSlot(async () => {
      await new Promise<void>((end) => {
        running.push(end);
        peak = Math.max(peak, running.length);
      });
      return "done";
    });
  const endAll = async (jobs: Promise<unknown>[]) => {
    let left = jobs.length;
    for (const job of jobs) void job.finally(() => left--).catch(() => undefined);
    while (left > 0) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { work, endAll, peak: () => peak };
}

it("runs a hundred at once a few at a time (threat: 64 MiB each, all together)", async () => {
  const { work, endAll, peak } = controlled();
  const jobs = Array.from({ length: 100 }, work);
  await endAll(jobs);
  expect(await Promise.all(jobs)).toEqual(Array.from({ length: 100 }, () => "done"));
  expect(peak()).toBe(slots);
});

it("turns away what would wait too long, and serves the others", async () => {
  const { work, endAll } = controlled();
  const jobs = Array.from({ length: slots + 100 }, work);
  await expect(work()).rejects.toThrow(TooManyHashesError);
  await endAll(jobs);
  expect(await Promise.all(jobs)).toHaveLength(slots + 100);
});

it("frees its slot when the work fails", async () => {
  const failing = Array.from({ length: slots * 3 }, () =>
    inHashingSlot(() => Promise.reject(new Error("failed"))),
  );
  const ends = await Promise.allSettled(failing);
  expect(ends.every((end) => end.status === "rejected")).toBe(true);
  expect(await inHashingSlot(async () => "still served")).toBe("still served");
});
