import { aSave, record } from "@/lib/history/testing/history-world";
import { insertPartner } from "@/lib/partners/server/change-partner";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { measureHealth } from "@/lib/installation/server/health";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { readConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import {
  inWorld,
  listing,
  moveService,
  partner,
  plan,
  showing,
  world,
} from "@/lib/webhooks/testing/in-world";
import type { TestPartner } from "@/lib/webhooks/testing/world";
import { randomBytes } from "node:crypto";
import { insert, inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { listPartners } from "@/lib/partners/testing/with-access";
import { forgetOverview, recordFault, recordOverview } from "./overview";
import { partnerQuerySchema, type PartnerLine } from "@/lib/partners/model/page";

let support: string;

inWorld({ as: null });
beforeAll(async () => {
  support = await world.staff("support");
});
beforeEach(() => signInAs(support));

async function list(query: Record<string, string>): Promise<PartnerLine[]> {
  const found: PartnerLine[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await listPartners(
      partnerQuerySchema.parse({ ...query, ...(cursor ? { cursor } : {}) }),
    );
    found.push(...page.partners);
    cursor = page.nextCursor;
  }
  return found;
}

const ids = async (query: Record<string, string>) => (await list(query)).map(({ id }) => id);

/** A word that no other test's partner has. */
const aWord = () => `w${randomBytes(5).toString("hex")}`;

async function readOf(at = partner): Promise<void> {
  signInAs(await at.person("viewer"));
  await codeOf(readConfiguration(at.id, "sandbox", { requestId: "look" }));
  signInAs(support);
}

const lineOf = async ({ id }: TestPartner = partner) => (await list({ search: id }))[0];

const hasState = async (status: string, { id }: TestPartner = partner) =>
  (await ids({ search: id, status })).includes(id);

function connectionRefOf({ id, connectionId, clientId }: TestPartner = partner) {
  const baseUrl = [...env().environments.values()][0] ?? "";
  const connection = { id: connectionId, clientId, baseUrl };
  return { partnerId: id, environment: "sandbox", connection };
}

/** As a replacement of the credentials does. */
const replaceClient = (client_id: string) =>
  inTransaction(async (trx) => {
    await trx
      .updateTable("connections")
      .set({ client_id })
      .where("id", "=", partner.connectionId)
      .execute();
    await forgetOverview(trx, connectionRefOf());
  });

const addPartner = (id: string, name: string) =>
  inTransaction((trx) => insertPartner(trx, { id, name }));

describe("searching", () => {
  it("finds by prefixes of words in the name, without accents or case", async () => {
    const word = aWord();
    const partner = await world.partner(`Farmácia ${word}`);
    expect(await ids({ search: word })).toEqual([partner.id]);
    expect(await ids({ search: `FARMAC ${word.slice(0, 9)}` })).toEqual([partner.id]);
    expect(await ids({ search: `mercado ${word}` })).toEqual([]);
  });

  it("compares the rest of a long word", async () => {
    const word = aWord();
    const partner = await world.partner(`${word}central`);
    await world.partner(`${word}norte`);
    expect(await ids({ search: `${word}cen` })).toEqual([partner.id]);
  });

  it("finds by the callback host as soon as it was read, and no longer by the previous one", async () => {
    const [first, second] = [aWord(), aWord()];
    await partner.register({ url: `https://pix.${first}.example/a` });
    expect(await ids({ search: first })).toEqual([]);
    await readOf();
    expect(await ids({ search: `https://pix.${first}.example/other` })).toEqual([partner.id]);
    await partner.register({ url: `https://pix.${second}.example/a` });
    await readOf();
    expect(await ids({ search: first })).toEqual([]);
    expect(await ids({ search: second })).toEqual([partner.id]);
  });
});

it("says which host of another environment a search found, and nothing where the line shows it", async () => {
  const word = aWord();
  const value = `pix.${word}.example`;
  await partner.register({ url: `https://${value}/a` });
  await readOf();
  const { environments } = env();
  const other = ["production", "https://other.example"] as const;
  Object.assign(env(), { environments: new Map([...environments, other]) });
  onTestFinished(() => void Object.assign(env(), { environments }));
  expect(await list({ search: word, environment: "production" })).toMatchObject([
    { id: partner.id, match: { by: "host", environment: "sandbox", value } },
  ]);
  const [there] = await list({ search: word, environment: "sandbox" });
  expect(there).toMatchObject({ hosts: { pix_in: value } });
  expect(there).not.toHaveProperty("match");
});

describe("paging", () => {
  it("shows each partner once, in the order of ids, over all pages", async () => {
    const word = aWord();
    const all = Array.from({ length: 120 }, (_, i) => `${word}-${String(i).padStart(3, "0")}`);
    for (const id of all) await addPartner(id, `Loja ${word}`);
    expect(await ids({ search: `loja ${word}` })).toEqual(all);
    expect((await ids({})).filter((id) => id.startsWith(word))).toEqual(all);
    const page = await listPartners({ search: word });
    expect(page.partners).toHaveLength(50);
    expect(page.nextCursor).toBe(all[49]);
  });

  it("refuses a cursor that is no id", () => {
    expect(partnerQuerySchema.safeParse({ cursor: "' or 1=1" }).success).toBe(false);
  });
});

describe("states", () => {
  it("shows the host of each type, without the rest of its address, and when that was confirmed", async () => {
    expect(await lineOf()).toMatchObject({
      connected: true,
      checkedAt: null,
      hosts: { pix_in: "", pix_out: "" },
    });
    await partner.register({ url: "https://in.example/", type: "pix_in" });
    await readOf();
    const line = await lineOf();
    expect(line).toMatchObject({
      hosts: { pix_in: "in.example", pix_out: null },
      withoutAuthorization: ["pix_in"],
      failing: null,
    });
    expect(line?.checkedAt).not.toBeNull();
    expect(await hasState("type_missing")).toBe(true);
    expect(await hasState("no_authorization")).toBe(true);
    expect(await hasState("failing")).toBe(false);
  });

  it("reports nothing as missing before the first reading", async () => {
    partner.setActive(false);
    await readOf();
    expect(await hasState("type_missing")).toBe(false);
    expect(await hasState("failing")).toBe(true);
  });

  const untyped = showing([{ callback_url: "https://any.example/", events: [] }]);
  it.each([
    ["lists an item that may be of any type", untyped],
    ['says "not found" in its own words', listing({ status: 404, body: '{"error":"gone"}' })],
  ])("reports nothing as missing where the service %s", async (_what, rule) => {
    plan(rule);
    await readOf();
    expect(await lineOf()).toMatchObject({ hosts: { pix_in: "", pix_out: "" }, failing: null });
    expect(await hasState("type_missing")).toBe(false);
  });

  it("keeps the host known last of a type that may still be registered", async () => {
    await partner.register({ url: "https://in.example/", type: "pix_in" });
    await readOf();
    plan(untyped);
    await readOf();
    expect(await lineOf()).toMatchObject({
      hosts: { pix_in: "in.example", pix_out: "" },
      withoutAuthorization: ["pix_in"],
    });
    expect(await hasState("type_missing")).toBe(false);
  });

  it("reports a failed reading, since when and by which request, until one succeeds", async () => {
    await partner.register({ url: "https://both.example/" });
    await readOf();
    const fault = { code: "certificate_expired", requestId: "r1", epoch: 1 } as const;
    await recordFault(connectionRefOf(), fault);
    expect(await lineOf()).toMatchObject({
      hosts: { pix_in: "both.example", pix_out: "both.example" },
      failing: { code: "certificate_expired", requestId: "r1" },
    });
    await readOf();
    expect((await lineOf())?.failing).toBeNull();
    expect(await hasState("failing")).toBe(false);
  });

  it("is not reported as failing by a reading that began before the last confirmed one", async () => {
    await readOf();
    await recordFault(connectionRefOf(), { code: "upstream_timeout", requestId: "slow", epoch: 0 });
    expect((await lineOf())?.failing).toBeNull();
  });

  it("refuses an environment that is not configured", async () => {
    expect(await codeOf(list({ environment: "elsewhere" }))).toBe("invalid_fields");
  });
});

describe("another service, or another client of it", () => {
  const elsewhere = "https://moved.example";

  let word: string;
  beforeEach(async () => {
    word = aWord();
    await partner.register({ url: `https://pix.${word}.example/a`, type: "pix_in" });
    await readOf();
  });

  const nothingKnown = {
    connected: true,
    checkedAt: null,
    hosts: { pix_in: "", pix_out: "" },
    withoutAuthorization: [],
    failing: null,
  };

  it("after a move of the environment, shows nothing from the old address", async () => {
    const broken = await world.partner();
    broken.setActive(false);
    await readOf(broken);
    moveService(elsewhere);
    for (const one of [partner, broken]) {
      expect(await lineOf(one)).toMatchObject(nothingKnown);
      for (const status of ["type_missing", "no_authorization", "failing"])
        expect(await hasState(status, one)).toBe(false);
    }
    expect(await ids({ search: word })).toEqual([]);
    const [environment] = (await measureHealth(db())).environments;
    expect(environment).toMatchObject({ failing: 0, lastConfirmedAt: null });
  });

  it("shows a fault at the new address without what the old one held, and says so back there", async () => {
    const { baseUrl } = connectionRefOf().connection;
    moveService(elsewhere);
    const fault = { code: "name_not_found", requestId: "r2", epoch: 1 } as const;
    await recordFault(connectionRefOf(), fault);
    expect(await lineOf()).toMatchObject({ ...nothingKnown, failing: { code: fault.code } });
    moveService(baseUrl);
    expect(await hasState("type_missing")).toBe(false);
  });

  it("ignores a reading that ends after its client was replaced", async () => {
    const before = connectionRefOf();
    await replaceClient(`${partner.clientId}-new`);
    await recordFault(before, { code: "upstream_timeout", requestId: "late", epoch: 1 });
    const hosts = { pix_in: `pix.${word}.example`, pix_out: null };
    await inTransaction((trx) =>
      recordOverview(trx, before, { hosts, withoutAuthorization: ["pix_in"] }),
    );
    expect(await lineOf()).toMatchObject(nothingKnown);
    expect(await ids({ search: word })).toEqual([]);
  });
});

it("finds by client id, member's email, request id and callback path, for staff alone", async () => {
  const path = `/pix/${aWord()}_100`;
  await partner.register({ url: `https://in.example${path}` });
  await readOf();
  const member = await partner.person("editor");
  await replaceClient(`cl.${partner.id}`);
  const requestId = aWord();
  await record(aSave(partner.id, { requestId }));
  const quoted = [`cl.${partner.id}`, `${member}@test.example`, requestId, path];
  const by = ["client_id", "email", "request_id", "path"];
  for (const [at, search] of quoted.entries())
    expect(await list({ search })).toMatchObject([
      { id: partner.id, match: { by: by[at], value: search } },
    ]);
  expect(await ids({ search: path.replace("_", "x") })).toEqual([]);
  expect(await ids({ search: path.replace("_", "%") })).toEqual([]);

  const other = await world.partner();
  signInAs(await other.person("admin"));
  for (const search of quoted) expect(await ids({ search })).toEqual([]);
});

it("finds nothing by characters that no name, email or id has, and never fails (threat: a search that breaks a query)", async () => {
  for (const search of [
    "_",
    "' or 1=1 --",
    "\u0000",
    `${aWord()}\u0000`,
    "a\u0000@b.example",
    "/pix\u0000",
    "'",
    "%",
    '/"',
    "/\\",
  ])
    expect([search, await ids({ search })]).toEqual([search, []]);
});

it("tells staff without a view no more of an address than they searched for (threat: finding a path or a fingerprint character by character)", async () => {
  const token = aWord();
  const url = `https://in.example/pix/${token}?key=canary-query`;
  await partner.register({ url, authorization: "Bearer canary" });
  await readOf();
  const { remote_json: stored } = await rowOf("confirmed_configurations", {
    connection_id: partner.connectionId,
  });
  const fingerprint = /"fingerprint":"([0-9a-f]{8})/.exec(stored)?.[1] ?? "";
  expect(fingerprint).not.toBe("");
  for (const role of ["support", "operator"] as const) {
    signInAs(role === "support" ? support : await world.staff(role));
    for (const search of [
      "/pix",
      "/pix/",
      `/pix/${token.slice(0, -1)}`,
      `/${token}`,
      `/pix/${token}?key=`,
      `/pix/${token}?key=canary-query","fingerprint":"${fingerprint}`,
    ])
      expect([search, await ids({ search })]).toEqual([search, []]);
    for (const search of [`/pix/${token}`, `/pix/${token}?key=canary-query`])
      expect(await ids({ search })).toEqual([partner.id]);
  }
});

it("sorts by name without accents, by the worst status and by the oldest confirmation, across pages", async () => {
  const word = aWord();
  const [first, second, third] = [
    await world.partner(`Água ${word}`),
    await world.partner(`azul ${word}`),
    await world.partner(`Zebra ${word}`),
  ];
  await readOf(third);
  first.setActive(false);
  await readOf(first);
  const sorted = (sort: string) => ids({ search: word, sort });
  expect(await sorted("name")).toEqual([first.id, second.id, third.id]);
  await update("partners", { suspended_at: 1 }, { id: second.id });
  expect(await sorted("status")).toEqual([first.id, third.id, second.id]);
  expect((await sorted("age")).at(-1)).toBe(third.id);
  await Promise.all(
    Array.from({ length: 52 }, (_, at) =>
      addPartner(`${word}-${String(at).padStart(2, "0")}`, `Many ${word}x ${99 - at}`),
    ),
  );
  const many = await ids({ search: `${word}x`, sort: "name" });
  expect(many).toHaveLength(52);
  expect(new Set(many).size).toBe(52);
  expect(many[0]).toBe(`${word}-51`);
});

it("finds each of a thousand and more once, in whatever order", async () => {
  const word = aWord();
  const many = Array.from({ length: 1_060 }, (_, n) => `${word}-${String(n).padStart(4, "0")}`);
  const words = ` loja ${word}`;
  await insert("partners", ...many.map((id) => ({ id, name: id, words, created_at: 1 })));
  await update("partners", { suspended_at: 1 }, { id: many[0] ?? "" });
  const read = await world.partner(`Loja ${word}`);
  await readOf(read);
  expect(await ids({ search: word, sort: "age" })).toEqual([...many, read.id]);
  const [suspended = "", ...others] = many;
  expect(await ids({ search: word, sort: "status" })).toEqual([...others, read.id, suspended]);
});

it("shows people their own partners only, whatever they search for (threat: ids of others in queries)", async () => {
  const word = aWord();
  const mine = await world.partner(`Loja ${word}`);
  const theirs = await world.partner(`Loja ${word}`);
  signInAs(await mine.person("viewer"));
  expect(await ids({})).toEqual([mine.id]);
  expect(await ids({ search: word })).toEqual([mine.id]);
  expect(await ids({ search: theirs.id })).toEqual([]);
  expect(await ids({ status: "failing" })).toEqual([]);
  for (const cursor of ["aaa", theirs.id])
    expect([mine.id]).toEqual(expect.arrayContaining(await ids({ cursor })));
  await addPartner(`${mine.id}z`, `Aurora ${word}`);
  for (const cursor of [`${mine.id}y`, `${mine.id}z`])
    expect(await ids({ cursor, sort: "name" })).toEqual([]);
});

it("finds by what a daily check of the present client found, and not of the one before", async () => {
  await partner.register({ url: "https://in.example/pix" });
  await readOf();
  const { connectionId: connection_id, clientId: client_id } = partner;
  const { baseUrl: base_url } = connectionRefOf().connection;
  const when = { checked_at: 1, same_since: 1 };
  const found = { type: "pix_in", typed: 0, ...when, alerted_condition: "down" } as const;
  await insert("endpoint_checks", { connection_id, ...found, base_url, client_id });
  expect(await hasState("endpoint_fails")).toBe(true);
  await update("endpoint_checks", { client_id: "before" }, { connection_id });
  expect(await hasState("endpoint_fails")).toBe(false);
});

it("finds the one that has a path among many whose path ends in it", async () => {
  const path = `/${aWord()}`;
  const many = Array.from({ length: 201 }, (_, n) => ({
    id: `many-${String(n).padStart(3, "0")}`,
    callbackUrl: `https://in.example${n === 200 ? "" : "/longer"}${path}`,
  }));
  await insert("partners", ...many.map(({ id }) => ({ id, name: id, created_at: 1 })));
  const connection = { environment: "sandbox", client_id: "c", version: 1, secret_ciphertext: "" };
  const made = { ...connection, updated_at: 1 };
  await insert("connections", ...many.map(({ id }) => ({ ...made, id, partner_id: id })));
  const look = { looked_at: 1, looked_steady: 1, epoch: 1 };
  await insert(
    "confirmed_configurations",
    ...many.map(({ id, callbackUrl }) => ({
      ...look,
      connection_id: id,
      remote_json: JSON.stringify({ webhooks: { pix_in: { callbackUrl } }, unrecognised: [] }),
    })),
  );
  expect(await ids({ search: path })).toEqual(["many-200"]);
});
