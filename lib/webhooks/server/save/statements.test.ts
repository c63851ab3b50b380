import { isPostgres, watchStatements } from "@/lib/platform/database/testing/sent-statements";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { countChange } from "@/lib/platform/limits/limits";
import { readConfiguration, saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { inWorld, partner } from "@/lib/webhooks/testing/in-world";

let watched: ReturnType<typeof watchStatements>;
let statements: string[] = [];

beforeAll(() => {
  // How often a lock is renewed depends on how busy the machine is.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  watched = watchStatements();
});
inWorld();
beforeEach(() => read());

const read = () => readConfiguration(partner.id, partner.environment, { requestId: "r" });

async function countOf(work: () => Promise<unknown>): Promise<number> {
  statements = await watched.sentBy(work);
  return statements.length;
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
    isPostgres ? 23 : 19,
  );
  // The list of partners has indexed the host by now.
  expect(await saved("https://a.example/2"), statements.join("\n")).toBeLessThanOrEqual(
    isPostgres ? 24 : 20,
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
  expect(watched.commits.count).toBe(1);
  await saved("https://a.example/");
  expect(watched.commits.count).toBe(3);
});
