import { availableParallelism } from "node:os";
import { expect, it } from "vitest";
import { hashToSignIn } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { inHashingSlot } from "./password-hash";

const slots = Math.min(4, availableParallelism());

type Caller = Parameters<typeof inHashingSlot>[0];

const stranger = (clientAddress: string): Caller =>
  hashToSignIn({ email: "ana@aurora.example", clientAddress });
const known = (id: string): Caller =>
  hashToSignIn({ email: "ana@aurora.example", clientAddress: "192.0.2.1", device: { id } });

/** Work that runs until it is ended. */
function controlled() {
  const running: (() => void)[] = [];
  const begun: string[] = [];
  let peak = 0;
  const work = (caller: Caller) =>
    inHashingSlot(caller, async () => {
      begun.push(caller.of);
      await new Promise<void>((end) => {
        running.push(end);
        peak = Math.max(peak, running.length);
      });
    });
  /** How each of these ended, all of them begun at once. */
  const outcomes = async (callers: readonly Caller[]) => {
    const jobs = callers.map((caller) => work(caller));
    const ends = Promise.allSettled(jobs);
    let left = jobs.length;
    for (const job of jobs) void job.finally(() => left--).catch(() => undefined);
    while (left > 0) {
      running.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    return (await ends).map(({ status }) => status);
  };
  return { outcomes, begun, peak: () => peak };
}

const from = (count: number, address: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => stranger(address(n)));
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
  const failing = Array.from({ length: slots * 3 }, (_, n) =>
    inHashingSlot(stranger(`192.0.2.${n}`), () => Promise.reject(new Error("failed"))),
  );
  await Promise.allSettled(failing);
  expect(await inHashingSlot(stranger("192.0.2.1"), async () => "still served")).toBe(
    "still served",
  );
});

it.each([
  ["one network", () => "192.0.2.7"],
  ["an IPv6 host, whatever addresses it takes", (n: number) => `2001:db8:1:2::${n.toString(16)}`],
])(
  "leaves room for others, whatever %s sends (threat: one caller who fills the line)",
  async (_who, address) => {
    const { outcomes } = controlled();
    const crowd = from(slots + 60, address);
    const ends = await outcomes([...crowd, stranger("192.0.2.8")]);
    expect(refusedIn(ends)).toBe(40);
    expect(ends.at(-1)).toBe("fulfilled");
  },
);

it("runs those of known browsers and sessions first, however many strangers wait (threat: five addresses that fill the line)", async () => {
  const { outcomes, begun } = controlled();
  const crowd = from(slots + 120, (n) => `192.0.2.${n % 6}`);
  const ends = await outcomes([...crowd, known("ana"), known("rui")]);
  expect(ends.slice(-2)).toEqual(["fulfilled", "fulfilled"]);
  expect(begun.slice(slots, slots + 2)).toEqual(["ana", "rui"]);
});

it("leaves room for other known people, whatever one of them sends (threat: an account that fills the line)", async () => {
  const { outcomes } = controlled();
  const crowd = Array.from({ length: slots + 10 }, () => known("ana"));
  const ends = await outcomes([...crowd, known("rui")]);
  expect(refusedIn(ends)).toBe(7);
  expect(ends.at(-1)).toBe("fulfilled");
});
