import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { inHashingSlot } from "./password-hash";

const slots = Math.min(4, availableParallelism());

/** Work that runs until it is ended. */
function controlled() {
  const running: (() => void)[] = [];
  let peak = 0;
  const work = (clientAddress: string) =>
    inHashingSlot(clientAddress, async () => {
      await new Promise<void>((end) => {
        running.push(end);
        peak = Math.max(peak, running.length);
      });
    });
  /** How each of these ended, all of them begun at once. */
  const outcomes = async (addresses: readonly string[]) => {
    const jobs = addresses.map((address) => work(address));
    const ends = Promise.allSettled(jobs);
    let left = jobs.length;
    for (const job of jobs) void job.finally(() => left--).catch(() => undefined);
    while (left > 0) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return (await ends).map(({ status }) => status);
  };
  return { outcomes, peak: () => peak };
}

const from = (count: number, address: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => address(n));
const refusedIn = (statuses: readonly string[]) =>
  statuses.filter((status) => status === "rejected").length;

it("runs a hundred concurrent jobs a few at a time (threat: 64 MiB each, all together)", async () => {
  const { outcomes, peak } = controlled();
  expect(refusedIn(await outcomes(from(100, (n) => `192.0.2.${n}`)))).toBe(0);
  expect(peak()).toBe(slots);
});

it("refuses jobs that would wait too long, and runs the others", async () => {
  const { outcomes } = controlled();
  expect(refusedIn(await outcomes(from(slots + 103, (n) => `192.0.2.${n}`)))).toBe(3);
});

it("frees its slot when the work fails", async () => {
  const failing = Array.from({ length: slots * 3 }, () =>
    inHashingSlot(null, () => Promise.reject(new Error("failed"))),
  );
  await Promise.allSettled(failing);
  expect(await inHashingSlot(null, async () => "still served")).toBe("still served");
});

it.each([
  ["one network", () => "192.0.2.7"],
  ["an IPv6 host, whatever addresses it takes", (n: number) => `2001:db8:1:2::${n.toString(16)}`],
])(
  "leaves room for others, whatever %s sends (threat: one caller who fills the queue)",
  async (_who, address) => {
    const { outcomes } = controlled();
    const crowd = from(slots + 60, address);
    const ends = await outcomes([...crowd, "192.0.2.8"]);
    expect(refusedIn(ends)).toBe(40);
    expect(ends.at(-1)).toBe("fulfilled");
  },
);
