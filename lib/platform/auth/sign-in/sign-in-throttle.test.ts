import { expect, it } from "vitest";
import { normalEmail } from "./check-password";
import {
  consume,
  countHash,
  countLinkUse,
  hashToSignIn,
  recordFailure,
  recordSuccess,
} from "./sign-in-throttle";
import { amongPeople, db } from "@/lib/platform/auth/testing/database-with-people";

const start = 1_800_000_000_000;
const minute = 60_000;
const ana = { email: "ana@aurora.example", clientAddress: "192.0.2.7" };

amongPeople();

/** Guesses wrongly as soon as it may, until `until`; returns the times of the guesses. */
async function guess(attempt: typeof ana, until: number): Promise<number[]> {
  const at: number[] = [];
  for (let now = start; now < until;) {
    const limit = await consume(db, attempt, now);
    if (limit.allowed) {
      await recordFailure(db, attempt, now);
      at.push(now);
    } else now += limit.retryAfterSeconds * 1_000;
  }
  return at;
}

/** Guesses once at each of so many accounts, from the address; returns how many guesses were allowed. */
async function guessAtMany(count: number, address: (n: number) => string): Promise<number> {
  let allowed = 0;
  for (let n = 0; n < count; n++) {
    const attempt = { email: `person${n}@x.example`, clientAddress: address(n) };
    if (!(await consume(db, attempt, start)).allowed) continue;
    await recordFailure(db, attempt, start);
    allowed++;
  }
  return allowed;
}

/** Whether somebody new may try from there. */
const fromThere = (clientAddress: string, now = start) =>
  consume(db, { email: "new@x.example", clientAddress }, now);

it("lets an account be tried five times, then waits longer each time, and stops at twenty an hour (threat: guessing)", async () => {
  const at = await guess(ana, start + 60 * minute);
  expect(at).toHaveLength(20);
  expect(at.slice(0, 5)).toEqual(Array.from({ length: 5 }, () => start));
  const waits = at.slice(5).map((moment, n) => (moment - (at[n + 4] ?? 0)) / 1_000);
  expect(waits.slice(0, 5)).toEqual([2, 4, 8, 16, 32]);
  expect(Math.max(...waits)).toBe(300);
});

it("reports how long a wait is with the failure that begins it", async () => {
  const reported = async (attempt: typeof ana) => {
    await consume(db, attempt, start);
    return recordFailure(db, attempt, start);
  };
  const account = [];
  for (let n = 0; n < 5; n++) account.push(await reported(ana));
  expect(account).toEqual([null, null, null, null, 2]);
  const address = [];
  for (let n = 5; n < 100; n++) address.push(await reported({ ...ana, email: `p${n}@x.example` }));
  expect(address.filter((seconds) => seconds !== null)).toEqual([600]);
  expect(address.at(-1)).toBe(600);
});

it("never lets more than twenty attempts of one account through at once (threat: a burst before the first failure counts)", async () => {
  const turns = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      consume(db, { ...ana, clientAddress: `192.0.2.${n}` }, start),
    ),
  );
  expect(turns.filter((turn) => turn.allowed)).toHaveLength(20);
});

it("counts the uses of a link apart from sign-ins by its name (threat: keeping a person from their password link)", async () => {
  const asLink = { email: normalEmail("LINK ana"), clientAddress: "198.51.100.1" };
  for (let n = 0; n < 5; n++) {
    await consume(db, asLink);
    await recordFailure(db, asLink);
  }
  expect(await consume(db, asLink)).toMatchObject({ allowed: false });
  await expect(countLinkUse(db, "ana", ana.clientAddress)).resolves.toMatchObject({
    line: "strangers",
  });
});

it("starts afresh an hour later: nobody locks another out for good", async () => {
  await guess(ana, start + 60 * minute);
  expect(await consume(db, ana, start + 60 * minute)).toEqual({ allowed: true });
});

it("forgets an account's failures when its person signs in", async () => {
  for (let n = 0; n < 4; n++) {
    await consume(db, ana, start);
    await recordFailure(db, ana, start);
  }
  await consume(db, ana, start);
  await recordSuccess(db, ana);
  for (let n = 0; n < 5; n++) expect(await consume(db, ana, start)).toEqual({ allowed: true });
});

it("bounds what one address tries on all accounts together (threat: one common password on everybody)", async () => {
  expect(await guessAtMany(150, () => ana.clientAddress)).toBe(100);
  expect(await fromThere("198.51.100.1")).toEqual({ allowed: true });
  expect(await fromThere(ana.clientAddress)).toEqual({ allowed: false, retryAfterSeconds: 600 });
  expect(await fromThere(ana.clientAddress, start + 10 * minute)).toEqual({ allowed: true });
});

it("counts an IPv6 network as one caller (threat: a new address for every attempt)", async () => {
  await guessAtMany(100, (n) => `2001:db8:1:2::${n.toString(16)}`);
  expect(await fromThere("2001:db8:1:2:ffff::1")).toMatchObject({ allowed: false });
  expect(await fromThere("2001:db8:1:3::1")).toEqual({ allowed: true });
});

it("counts the networks of an IPv6 site together, generously (threat: a /48 has 65,536 networks)", async () => {
  expect(await guessAtMany(450, (n) => `2001:db8:1:${n.toString(16)}::1`)).toBe(400);
  const inSite = "2001:db8:1:ffff::1";
  expect(await fromThere(inSite)).toEqual({ allowed: false, retryAfterSeconds: 600 });
  expect(await fromThere("2001:db8:2::1")).toEqual({ allowed: true });
  // A refusal of the site does not count against the one network that called.
  expect(await fromThere(inSite, start + 10 * minute)).toEqual({ allowed: true });
});

it("counts single sign-on apart from passwords (threat: guessing at one to close the other)", async () => {
  const elsewhere = { email: null, clientAddress: ana.clientAddress };
  for (let n = 0; n < 100; n++) {
    expect(await consume(db, elsewhere, start)).toEqual({ allowed: true });
    await recordFailure(db, elsewhere, start);
  }
  expect(await consume(db, elsewhere, start)).toEqual({ allowed: false, retryAfterSeconds: 600 });
  expect(await db.selectFrom("rate_limits").selectAll().execute()).toHaveLength(1);
  expect(await consume(db, ana, start)).toEqual({ allowed: true });
});

it("lets an office of many sign in from one address", async () => {
  for (let n = 0; n < 150; n++) {
    const attempt = { ...ana, email: `person${n}@x.example` };
    expect(await consume(db, attempt, start)).toEqual({ allowed: true });
    await recordSuccess(db, attempt);
  }
});

it("bounds the hashes of one network, also with right passwords (threat: a crowd of own accounts)", async () => {
  const hashes = async (address: (n: number) => string, times: number) => {
    let made = 0;
    for (let n = 0; n < times; n++) {
      const attempt = { email: `person${n}@x.example`, clientAddress: address(n) };
      const limit = await consume(db, attempt, start);
      expect(limit).toEqual({ allowed: true });
      if (typeof (await countHash(db, hashToSignIn(attempt), start)) !== "number") made++;
      await recordSuccess(db, attempt);
    }
    return made;
  };
  expect(await hashes(() => ana.clientAddress, 610)).toBe(600);
  const known = hashToSignIn({ ...ana, device: { id: "of-ana" } });
  expect(await countHash(db, known, start)).toMatchObject({ line: "known" });
});

it("keeps neither what was typed nor counts that have ended", async () => {
  await consume(db, { ...ana, email: "typed my password here" }, start);
  expect(JSON.stringify(await db.selectFrom("rate_limits").selectAll().execute())).not.toContain(
    "typed",
  );
  await consume(db, ana, start + 120 * minute);
  expect(await db.selectFrom("rate_limits").selectAll().execute()).toHaveLength(2);
});

it("counts a known device apart from strangers, and strangers apart from it", async () => {
  const device = { id: "of-ana" };
  await guess(ana, start + 60 * minute);
  expect(await consume(db, ana, start + 59 * minute)).toMatchObject({ allowed: false });
  const own = { ...ana, device };
  expect(await consume(db, own, start + 59 * minute)).toEqual({ allowed: true });
  await recordSuccess(db, own);
  expect(await consume(db, ana, start + 59 * minute)).toMatchObject({ allowed: false });
});

it("bounds a known device as it bounds an account (threat: a stolen device cookie)", async () => {
  const own = { ...ana, device: { id: "of-ana" } };
  expect(await guess(own, start + 60 * minute)).toHaveLength(20);
  expect(await consume(db, ana, start + 59 * minute)).toEqual({ allowed: true });
});
