import { idPattern } from "@/lib/platform/http/model/id-pattern";
import { db } from "@/lib/platform/database/open";
import { erasedAddress, erasedPerson, people } from "@/lib/platform/secrets/model/people";
import { inTransaction, update } from "@/lib/platform/database/testing/rows";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { PostgresAdapter, sql } from "kysely";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  activityActors,
  exportActivity,
  readActivity,
  readOwnActivity,
  inEnglish,
} from "@/lib/history/testing/with-access";
import { entriesOf } from "./find";
import { recordPerson, type PersonEntry } from "@/lib/history/server/record/record";
import {
  dropTheTriggers,
  longHistory,
  newPartner,
  newPerson,
  startHistoryWorld,
} from "@/lib/history/testing/history-world";
import type { HistoryQuery } from "@/lib/history/model/query";

const browser = { browser: "Firefox", system: "Linux" };
let operator: string;
let ana: { id: string; name: string };
let rui: { id: string; name: string };

beforeAll(async () => {
  await startHistoryWorld();
  await dropTheTriggers();
  operator = await insertUser(db(), { name: "Otávio", staff_role: "operator" });
});
beforeEach(async () => {
  await db().deleteFrom("history").execute();
  await db().deleteFrom("history_heads").execute();
  ana = { id: await newPerson(await newPartner(), "admin"), name: "Ana" };
  rui = { id: await newPerson(await newPartner(), "admin"), name: "Rui" };
  for (const { id, name } of [ana, rui])
    await db().updateTable("users").set({ name }).where("id", "=", id).execute();
  signInAs(operator);
});

type Who = PersonEntry["who"];
const from = { clientAddress: "192.0.2.7", requestId: "q1" };
const signedIn = (who: Who): PersonEntry => ({
  ...from,
  who,
  kind: "signed_in",
  outcome: null,
  detail: { by: "password", code: null, recoveryCodesLeft: null, knownBrowser: true, ...browser },
});
const refused = (who: Who): PersonEntry => ({
  ...from,
  who,
  kind: "sign_in_refused",
  outcome: who ? "wrong_password" : "unknown_person",
  detail: { failure: null, blockedSeconds: null, ...browser },
});
const linkFor = ({ id, name }: { id: string; name: string }): PersonEntry => ({
  ...from,
  who: { id: operator },
  kind: "password_link_made",
  outcome: null,
  detail: { userId: id, name, email: "x@test.example" },
});

async function record(...entries: PersonEntry[]): Promise<void> {
  for (const entry of entries) await inTransaction((trx) => recordPerson(trx, entry));
}

const onPostgres = () => db().getExecutor().adapter instanceof PostgresAdapter;

const positions = async (query: HistoryQuery) =>
  (await readActivity(query)).entries.map(({ seq }) => seq);

describe("the activity of all people, for operators", () => {
  it("comes newest first, sealed, with the address also for unknown people", async () => {
    await record(signedIn(ana), refused(null));
    expect(await readActivity({})).toMatchObject({
      entries: [
        {
          seq: 2,
          actor: null,
          clientAddress: "192.0.2.7",
          outcome: "unknown_person",
          intact: true,
        },
        { seq: 1, actor: ana, clientAddress: "192.0.2.7", kind: "signed_in", intact: true },
      ],
      nextCursor: null,
    });
  });

  it("is filtered by subject, by unknown people, and by person: what they did and what others did about them", async () => {
    await record(signedIn(ana), refused(ana), refused(null), linkFor(ana), linkFor(rui));
    expect(await positions({ actor: ana.id })).toEqual([4, 2, 1]);
    expect(await positions({ actor: operator })).toEqual([5, 4]);
    expect(await positions({ actor: "outside" })).toEqual([3]);
    expect(await positions({ show: "refusals" })).toEqual([3, 2]);
    expect(await positions({ show: "credentials", actor: rui.id })).toEqual([5]);
    expect(await positions({ actor: ana.id.replaceAll("-", "_") })).toEqual([]);
    expect((await activityActors()).people.map(({ name }) => name)).toEqual(["Ana", "Otávio"]);
    await record(signedIn(rui));
    await db().updateTable("users").set({ name: "Ana" }).where("id", "=", rui.id).execute();
    expect(new Set((await activityActors()).people.map(({ name }) => name))).toEqual(
      new Set([`Ana (${ana.id}@test.example)`, `Ana (${rui.id}@test.example)`, "Otávio"]),
    );
    for (const { id } of [ana, rui])
      await update("users", { name: erasedPerson, email: erasedAddress(id) }, { id });
    expect((await activityActors()).people.map(({ name }) => name)).toEqual([
      erasedPerson,
      erasedPerson,
      "Otávio",
    ]);
  });

  it("is paged, and refuses a partner's cursor", async () => {
    await record(...Array.from({ length: 30 }, () => signedIn(ana)));
    const first = await readActivity({});
    expect(first.entries).toHaveLength(25);
    expect(await positions({ cursor: first.nextCursor ?? "" })).toEqual([5, 4, 3, 2, 1]);
    expect(await codeOf(readActivity({ cursor: "1-0123456789abcdef" }))).toBe("invalid_fields");
  });

  it("can be downloaded", async () => {
    await record(refused(null), signedIn(ana));
    const { body, fileName } = await exportActivity({ format: "csv" }, "q2", inEnglish);
    const lines = (await new Response(body).text()).trim().split("\r\n");
    expect(lines).toHaveLength(3);
    expect(lines[1]).toContain("signed_in");
    expect(fileName).toMatch(/^activity-to-\d{4}-\d\d-\d\d\.csv$/);
  });
});

describe("a person's own entries", () => {
  it("are what they did, attempts at their account and what others did about them, and nothing else", async () => {
    await record(
      refused(rui),
      signedIn(rui),
      signedIn(ana),
      refused(null),
      linkFor(rui),
      linkFor(ana),
    );
    signInAs(rui.id);
    const own = await readOwnActivity();
    expect(own.map(({ seq, intact }) => [seq, intact])).toEqual([
      [5, true],
      [2, true],
      [1, true],
    ]);
    signInAs(null);
    expect(await codeOf(readOwnActivity())).toBe("signed_out");
  });

  it("are the newest twenty, however many entries of others came since", async () => {
    await record(...Array.from({ length: 22 }, () => signedIn(rui)), signedIn(ana));
    signInAs(rui.id);
    const own = await readOwnActivity();
    expect(own.map(({ seq }) => seq)).toEqual(Array.from({ length: 20 }, (_, n) => 22 - n));
  });
});

it("are found by person without reading the others': both engines stay within an index", async () => {
  await longHistory(people, 20_000);
  const most = { before: 20_002, limit: 21 };
  const queries = {
    history_actors: entriesOf(db(), "actor_id", people, rui.id, {}, most),
    history_subjects: entriesOf(db(), "subject_id", people, rui.id, {}, most),
  };
  if (onPostgres()) await sql`analyze history`.execute(db());
  for (const [index, query] of Object.entries(queries)) {
    const plan = JSON.stringify(
      await (onPostgres() ? query.explain() : query.explain(undefined, sql`query plan`)),
    );
    expect(plan).toMatch(new RegExp(`Scan[^"]* (using|on) ${index}|USING INDEX ${index} \\(`));
    expect(plan).not.toMatch(/Seq Scan|SCAN history/);
  }
});

it("has a chain that no partner's id can name", () => {
  expect(people).not.toMatch(idPattern);
});
