import type { Db } from "@/lib/platform/database/open";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { tryUnwrapDataKey } from "./data-key";
import { keyFaults, keyUse, keysInUse } from "./key-faults";
import { rewrapAll } from "./rewrap";
import {
  named,
  ring,
  sealedWorld,
  sealSecrets,
  unreadable,
  type SealedWorld,
} from "@/lib/platform/secrets/testing/sealed-world";

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
  for (const table of ["data_keys", "partners"] as const) await db.deleteFrom(table).execute();
});
afterAll(() => db.destroy());

const rewrap = () => rewrapAll(db, during, () => undefined);
const use = async () => Object.fromEntries(await keyUse(db));

/** The first two. */
async function dataKeys() {
  const query = db.selectFrom("data_keys").selectAll().orderBy("partner_id");
  const [one, two] = await query.execute();
  if (!one || !two) throw new Error("expected two rows");
  return [one, two] as const;
}

describe("rewrapping", () => {
  it("brings everything under the active key, so that the old one is not needed and opens nothing", async () => {
    const sealed = await sealSecrets(db, before, named(120));
    const reported: number[] = [];
    const report = (rewrapped: number) => reported.push(rewrapped);
    expect(await rewrapAll(db, during, report)).toEqual({ rewrapped: 120, closed: [] });
    expect(reported).toEqual([50, 100, 120]);
    expect(await use()).toEqual({ k2: 120 });
    expect(await unreadable(world, after, sealed)).toEqual([]);
    expect(await unreadable(world, before, sealed)).toEqual([...sealed.keys()]);
    expect(await rewrap()).toEqual({ rewrapped: 0, closed: [] });
  });

  it("leaves a wrapped key closed in another partner's row (threat: one partner's secrets opened as another's)", async () => {
    await sealSecrets(db, before, named(2));
    await rewrap();
    const [one, two] = await dataKeys();
    expect(tryUnwrapDataKey(after, one)).not.toBeNull();
    expect(tryUnwrapDataKey(after, { ...two, wrapped: one.wrapped })).toBeNull();
    expect(tryUnwrapDataKey(after, { ...one, partner_id: two.partner_id })).toBeNull();
  });

  it("names those that do not open, leaves them as they are and goes on with the others", async () => {
    const sealed = await sealSecrets(db, before, named(4));
    const [one, two] = await dataKeys();
    const { wrapped } = one;
    await db.updateTable("data_keys").set({ wrapped }).where("id", "=", two.id).execute();
    expect(await rewrap()).toEqual({ rewrapped: 3, closed: [two.partner_id] });
    expect(await unreadable(world, during, sealed)).toEqual([two.partner_id]);
  });

  it("goes on until nothing is left that another instance sealed under the old key meanwhile", async () => {
    await sealSecrets(db, before, named(60));
    const copy = world.again();
    let late: Promise<unknown> | undefined;
    await rewrapAll(db, during, () => (late ??= sealSecrets(copy, before, ["a-late"])));
    await copy.destroy();
    expect(await use()).toEqual({ k2: 61 });
  });
});

describe("what the keys are needed for", () => {
  const states = async () =>
    (await keysInUse(db, ring("k2", "k1"))).map(({ id, standing, dataKeys }) => [
      id,
      standing,
      dataKeys,
    ]);

  it("distinguishes a needed key from one that is not used", async () => {
    await sealSecrets(db, before, named(3));
    expect(await states()).toEqual([
      ["k2", "active", 0],
      ["k1", "needed", 3],
    ]);
    await rewrap();
    expect(await states()).toEqual([
      ["k2", "active", 3],
      ["k1", "unused", 0],
    ]);
  });

  it("names what is missing, and a key with other bytes, with how many data keys it concerns", async () => {
    await sealSecrets(db, before, named(3));
    await sealSecrets(db, during, ["late"]);
    expect(await keyFaults(db, during)).toEqual([]);
    expect(await keyFaults(db, after)).toEqual([{ reason: "missing", keyId: "k1", dataKeys: 3 }]);
    const impostor = { id: "k1", bytes: ring("other").active.bytes };
    const find = (id: string) => (id === "k1" ? impostor : during.find(id));
    expect(await keyFaults(db, { active: impostor, all: [impostor, after.active], find })).toEqual([
      { reason: "other_bytes", keyId: "k1", dataKeys: 3 },
    ]);
  });

  it("recognises one altered row as that, not as another key", async () => {
    await sealSecrets(db, before, named(3));
    const [{ id }] = await dataKeys();
    const wrapped = "v1.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    await db.updateTable("data_keys").set({ wrapped }).where("id", "=", id).execute();
    expect(await keyFaults(db, before)).toEqual([]);
  });
});
