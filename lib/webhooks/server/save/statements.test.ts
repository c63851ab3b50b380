import Libsql from "libsql";
import pg from "pg";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { countChange } from "@/lib/platform/limits/limits";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { inWorld, partner } from "@/lib/webhooks/testing/in-world";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";
const statements: string[] = [];
/** Of the embedded database. */
let commits = 0;

beforeAll(async () => {
  // How often a lock is renewed depends on how busy the machine is.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  if (isPostgres) {
    const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
    vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
      const [text] = args as unknown[];
      statements.push(typeof text === "string" ? text : String((text as { text: string }).text));
      return query.apply(this, args) as never;
    });
  } else {
    // Prepared once and used many times, so that only the use counts.
    const texts = new WeakMap<object, string>();
    const { prototype } = Libsql as unknown as {
      prototype: { prepare: (text: string) => object; exec: (text: string) => void };
    };
    const exec = prototype.exec;
    vi.spyOn(prototype, "exec").mockImplementation(function (this: unknown, text: string) {
      if (text === "commit") commits += 1;
      exec.call(this, text);
    });
    const prepare = prototype.prepare;
    vi.spyOn(prototype, "prepare").mockImplementation(function (this: unknown, text: string) {
      const statement = prepare.call(this, text);
      texts.set(statement, text);
      return statement;
    });
    const memory = new Libsql(":memory:");
    const ofStatement = Object.getPrototypeOf(memory.prepare("select 1")) as Record<
      "all" | "run",
      (...args: unknown[]) => unknown
    >;
    for (const name of ["all", "run"] as const) {
      const use = ofStatement[name];
      vi.spyOn(ofStatement, name).mockImplementation(function (this: object, ...args) {
        statements.push(texts.get(this) ?? "");
        return use.apply(this, args);
      });
    }
  }
});
inWorld();
beforeEach(() => read());

const read = () => readConfiguration(partner.id, partner.environment, { requestId: "r" });

/** Of Gancho's own: the sandbox writes its key words large. PostgreSQL counts the begin and the end of each transaction. */
async function countOf(work: () => Promise<unknown>): Promise<number> {
  statements.length = 0;
  commits = 0;
  await work();
  return statements.filter((text) => !/^(SELECT|INSERT)/.test(text)).length;
}

const origin = { requestId: "s", clientAddress: null };
const saved = async (url: string) => {
  const { revision } = await read();
  const authorization = { action: "replace", value: `Bearer ${url}` } as const;
  const request = { type: "both", url, revision, authorization } as const;
  return countOf(() => saveConfiguration(partner.id, "sandbox", request, origin));
};

/** An additional one must be worth it. */
it("a save makes no more statements than these", async () => {
  expect(await saved("https://a.example/"), statements.join("\n")).toBeLessThanOrEqual(
    isPostgres ? 25 : 21,
  );
  // The list of partners has indexed the host by now.
  expect(await saved("https://a.example/2"), statements.join("\n")).toBeLessThanOrEqual(
    isPostgres ? 26 : 22,
  );
});

it("a reading makes no more statements than these, and writes only its time where it matches the stored state", async () => {
  expect(await countOf(read), statements.join("\n")).toBeLessThanOrEqual(4);
  expectOneWrite();
});

it("a reading while saves are followed makes no more statements than these, and writes only its time", async () => {
  for (const path of ["1", "2", "3", "4", "5", "6"]) await saved(`https://a.example/${path}`);
  await read();
  expect(await countOf(read), statements.join("\n")).toBeLessThanOrEqual(6);
  expectOneWrite();
});

function expectOneWrite() {
  const writes = statements.filter((text) => /^\W*(insert|update|delete|begin)/i.test(text));
  expect(writes).toEqual([expect.stringMatching(/^update "confirmed_configurations"/)]);
}

/** The lock, which others must see; the intent, after which it may be sent; the outcome. And first the rate limit. */
it.skipIf(isPostgres)("a save waits for the disk no more often than this", async () => {
  const count = () => countChange({ person: "somebody", group: partner.id });
  // Once a minute, the first deletes expired rows.
  await count();
  await countOf(count);
  expect(commits).toBe(1);
  await saved("https://a.example/");
  expect(commits).toBe(3);
});
