import type { Db } from "@/lib/platform/database/open";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { dataKeyFor, opensDataKey } from "./data-key";
import { keyFaults, keyUse, lackingKeys } from "./key-faults";
import { reportKeys } from "./key-report";
import { rewrapAll } from "./rewrap";
import {
  named,
  ring,
  sealedWorld,
  sealSecrets,
  unreadable,
  type SealedWorld,
} from "@/lib/platform/secrets/testing/sealed-world";
import { takeIntoUse } from "./wrapping-keys";

const before = ring("k1");
const during = ring("k2", "k1");
const after = ring("k2");

let world: SealedWorld;
let db: Db;

beforeAll(async () => {
  world = await sealedWorld();
  ({ db } = world);
});
afterEach(async () => {
  for (const table of ["data_keys", "partners", "wrapping_keys"] as const)
    await db.deleteFrom(table).execute();
});
afterAll(() => db.destroy());

const silently = { reactivate: false, report: () => undefined };
const rewrap = (keyring = during) => rewrapAll(db, keyring, silently);
const use = async () => Object.fromEntries(await keyUse(db));

const dataKeys = () => db.selectFrom("data_keys").selectAll().orderBy("partner_id").execute();

describe("rewrapping", () => {
  it("brings everything under the active key, so that the old one is not needed and opens nothing", async () => {
    const sealed = await sealSecrets(db, before, named(120));
    const reported: number[] = [];
    const report = (done: number, all: number) => reported.push(done / all);
    expect(await rewrapAll(db, during, { reactivate: false, report })).toEqual({
      rewrapped: 120,
      closed: [],
    });
    expect(reported).toEqual([0, 50 / 120, 100 / 120, 1]);
    expect(await use()).toEqual({ k2: 120 });
    expect(await unreadable(world, after, sealed)).toEqual([]);
    expect(await unreadable(world, before, sealed)).toEqual([...sealed.keys()]);
    expect(await rewrap()).toEqual({ rewrapped: 0, closed: [] });
  });

  it("leaves a wrapped key closed in another partner's row (threat: one partner's secrets opened as another's)", async () => {
    await sealSecrets(db, before, named(2));
    await rewrap();
    const [one, two] = await dataKeys();
    if (!one || !two) throw new Error("two rows were to be there");
    expect(opensDataKey(after, one)).toBe(true);
    expect(opensDataKey(after, { ...two, wrapped: one.wrapped })).toBe(false);
    expect(opensDataKey(after, { ...one, partner_id: two.partner_id })).toBe(false);
  });

  it("names those that do not open, leaves them as they are and goes on with the others", async () => {
    const sealed = await sealSecrets(db, before, named(4));
    const [one, two] = await dataKeys();
    if (!one || !two) throw new Error("two rows were to be there");
    await db
      .updateTable("data_keys")
      .set({ wrapped: one.wrapped })
      .where("id", "=", two.id)
      .execute();
    expect(await rewrap()).toEqual({ rewrapped: 3, closed: [two.partner_id] });
    expect((await reportKeys(db, during)).closed).toEqual([two.partner_id]);
    expect(await unreadable(world, during, sealed)).toEqual([two.partner_id]);
  });

  it("may run twice at once", async () => {
    const sealed = await sealSecrets(db, before, named(200));
    const results = await Promise.all([rewrap(), rewrap()]);
    const counts = results.map((result) => (typeof result === "string" ? -1 : result.rewrapped));
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
    expect(await unreadable(world, after, sealed)).toEqual([]);
  });

  it("ends when another run takes the key out of use, and goes back to a former key only when that is meant", async () => {
    const sealed = await sealSecrets(db, before, named(120));
    let overtaking: Promise<unknown> | undefined;
    const overtaken = await rewrapAll(db, during, {
      reactivate: false,
      report: () => {
        overtaking ??= rewrap(ring("k3", "k2", "k1"));
      },
    });
    await overtaking;
    expect(overtaken).toBe("overtaken");
    expect(await use()).toEqual({ k3: 120 });
    expect(await rewrap(ring("k1", "k3"))).toBe("retired_before");
    expect(await use()).toEqual({ k3: 120 });
    const meant = { ...silently, reactivate: true };
    expect(await rewrapAll(db, ring("k1", "k3"), meant)).toMatchObject({ rewrapped: 120 });
    expect(await unreadable(world, before, sealed)).toEqual([]);
  });
});

describe("a process that was started before the keys were changed", () => {
  const old = ring("k1", "k2");

  it("seals new things under the new key as soon as the old one is out of use (threat: secrets lost with a removed key)", async () => {
    const copy = world.again();
    const first = await sealSecrets(copy, old, ["early"]);
    await rewrap();
    const late = await sealSecrets(copy, old, ["late"]);
    expect(await use()).toEqual({ k2: 2 });
    await copy.destroy();
    expect(await unreadable(world, after, new Map([...first, ...late]))).toEqual([]);
  });

  it("is waited for while it seals something under the old key", async () => {
    await sealSecrets(db, before, ["early"]);
    await db
      .insertInto("partners")
      .values({ id: "slow", name: "slow", created_at: 1, suspended_at: null })
      .execute();
    let rewrapping: Promise<unknown> | undefined;
    await db.transaction().execute(async (trx) => {
      await dataKeyFor(trx, old, "slow");
      rewrapping = rewrap();
      // In the time of so many queries the run would be over, if it did not wait.
      for (let n = 0; n < 50; n += 1) await dataKeyFor(trx, old, "slow");
    });
    await rewrapping;
    expect(await use()).toEqual({ k2: 2 });
  });

  it("seals nothing when it knows none of the keys in use, rather than under a key that will be gone", async () => {
    await sealSecrets(db, before, ["early"]);
    await rewrap();
    await expect(sealSecrets(db, before, ["late"])).rejects.toThrow("out of use");
  });

  it("is not started again with keys that are all out of use, also where nothing is re-wrapped yet", async () => {
    await sealSecrets(db, before, ["early"]);
    await takeIntoUse(db, after.active);
    expect(await keyFaults(db, before)).toEqual([
      { reason: "all_retired", keyId: "k1", inUse: ["k2"] },
    ]);
    expect(await keyFaults(db, old)).toEqual([]);
  });

  it("knows that it lacks a key as soon as something is sealed under it", async () => {
    await sealSecrets(db, before, ["early"]);
    expect(await lackingKeys(db, before)).toEqual([]);
    await rewrap();
    expect(await lackingKeys(db, before)).toEqual(["k2"]);
    expect(await lackingKeys(db, old)).toEqual([]);
    expect(await lackingKeys(db, after)).toEqual([]);
  });
});

describe("what the keys are needed for", () => {
  const states = async (keyring = ring("k2", "k1", "k3")) =>
    (await reportKeys(db, keyring)).keys.map(({ id, standing, partners }) => [
      id,
      standing,
      partners,
    ]);

  it("distinguishes a removable key from one that stands by, and from a needed one; the people's are no partner", async () => {
    await sealSecrets(db, before, [...named(3), "@people"]);
    expect(await states()).toEqual([
      ["k2", "active", 0],
      ["k1", "needed", 3],
      ["k3", "stands_by", 0],
    ]);
    await rewrap();
    expect(await states()).toEqual([
      ["k2", "active", 3],
      ["k1", "removable", 0],
      ["k3", "stands_by", 0],
    ]);
  });

  it("names what is missing, with how many partners it concerns", async () => {
    await sealSecrets(db, before, named(3));
    await sealSecrets(db, during, ["late"]);
    expect(await keyFaults(db, during)).toEqual([]);
    expect(await keyFaults(db, after)).toEqual([{ reason: "missing", keyId: "k1", partners: 3 }]);
    const impostor = { id: "k1", bytes: ring("other").active.bytes };
    const keyring = { active: impostor, all: [impostor, after.active], find: during.find };
    expect(await keyFaults(db, keyring)).toEqual([
      { reason: "other_bytes", keyId: "k1", partners: 3 },
    ]);
  });

  it("takes one altered row for that, not for a missing key", async () => {
    await sealSecrets(db, before, named(3));
    await db.updateTable("wrapping_keys").set({ proof: null }).execute();
    await db
      .updateTable("data_keys")
      .set({ wrapped: "v1.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" })
      .where("partner_id", "=", named(1)[0] ?? "")
      .execute();
    expect(await keyFaults(db, before)).toEqual([]);
  });
});
