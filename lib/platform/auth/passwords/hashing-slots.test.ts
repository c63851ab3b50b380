import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { inHashingSlot, TooManyHashesError, type HashCaller } from "./hashing-slots";

const slots = Math.min(4, availableParallelism());

/** Work that runs until it is ended; `begun` lists the callers in the order in which it began. */
function controlled() {
  const running: (() => void)[] = [];
  const begun: HashCaller[] = [];
  let peak = 0;
  const work = (caller: HashCaller = "ourselves") =>
    inHashingSlot(caller, async () => {
      begun.push(caller);
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
  return { work, endAll, begun, peak: () => peak };
}

it("runs a hundred at once a few at a time (threat: 64 MiB each, all together)", async () => {
  const { work, endAll, peak } = controlled();
  const jobs = Array.from({ length: 100 }, () => work());
  await endAll(jobs);
  expect(await Promise.all(jobs)).toEqual(Array.from({ length: 100 }, () => "done"));
  expect(peak()).toBe(slots);
});

it("turns away what would wait too long, and serves the others", async () => {
  const { work, endAll } = controlled();
  const jobs = Array.from({ length: slots + 100 }, () => work());
  await expect(work()).rejects.toThrow(TooManyHashesError);
  await endAll(jobs);
  expect(await Promise.all(jobs)).toHaveLength(slots + 100);
});

it("frees its slot when the work fails", async () => {
  const failing = Array.from({ length: slots * 3 }, () =>
    inHashingSlot("ourselves", () => Promise.reject(new Error("failed"))),
  );
  const ends = await Promise.allSettled(failing);
  expect(ends.every((end) => end.status === "rejected")).toBe(true);
  expect(await inHashingSlot("ourselves", async () => "still served")).toBe("still served");
});

const strangers = (count: number, from: (n: number) => string): HashCaller[] =>
  Array.from({ length: count }, (_, n) => ({ strangerFrom: from(n) }));

/** How many of these are refused when they come all at once, while every slot is taken. */
async function turnedAway(callers: readonly HashCaller[]): Promise<number> {
  const { work, endAll } = controlled();
  const busy = Array.from({ length: slots }, () => work());
  const jobs = callers.map((caller) => work(caller));
  const ends = Promise.allSettled(jobs);
  await endAll([...busy, ...jobs]);
  return (await ends).filter(({ status }) => status === "rejected").length;
}

it("serves a person on their own device before a crowd of strangers (threat: a sign-in that waits behind a guesser's)", async () => {
  const { work, endAll, begun } = controlled();
  const crowd = strangers(slots + 100, (n) => `192.0.2.${n}`).map((caller) => work(caller));
  const ana = { known: "the device of ana" };
  const own = work(ana);
  await endAll([...crowd, own]);
  expect(begun.indexOf(ana)).toBe(slots);
});

it("gives strangers every fourth turn, however many known people come (threat: one who signs in over and over)", async () => {
  const { work, endAll, begun } = controlled();
  const busy = Array.from({ length: slots }, () => work());
  const known = Array.from({ length: 12 }, (_, n) => work({ known: `device ${n}` }));
  const late = strangers(4, (n) => `192.0.2.${n}`).map((caller) => work(caller));
  await endAll([...busy, ...known, ...late]);
  const order = begun.slice(slots).map((caller) => Object.keys(caller)[0]);
  const turn = ["known", "known", "known", "strangerFrom"];
  expect(order).toEqual([...turn, ...turn, ...turn, ...turn].slice(0, 16));
});

it("leaves room for others in the queue, whatever one network sends (threat: one caller who fills it)", async () => {
  const one = strangers(60, () => "192.0.2.7");
  expect(await turnedAway(one)).toBe(50);
  expect(await turnedAway([...one, { strangerFrom: "192.0.2.8" }])).toBe(50);
  expect(await turnedAway(Array.from({ length: 22 }, () => ({ known: "one device" })))).toBe(2);
});

it("takes an IPv6 host for one caller and its site for few (threat: a new address, or network, for every attempt)", async () => {
  expect(await turnedAway(strangers(60, (n) => `2001:db8:1:2::${n.toString(16)}`))).toBe(50);
  expect(await turnedAway(strangers(60, (n) => `2001:db8:1:${n.toString(16)}::1`))).toBe(40);
  expect(await turnedAway(strangers(60, (n) => `2001:db8:${n.toString(16)}::1`))).toBe(0);
});
