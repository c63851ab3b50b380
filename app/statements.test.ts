import { GET as getReady } from "@/app/api/health/ready/route";
import {
  GET as getWebhooks,
  POST as postWebhooks,
} from "@/app/api/partners/[partner]/[environment]/webhooks/route";
import ConsoleLayout from "@/app/(console)/layout";
import * as partnerLayout from "@/app/(console)/partners/[partner]/layout";
import * as environmentLayout from "@/app/(console)/partners/[partner]/[environment]/layout";
import * as historyPage from "@/app/(console)/partners/[partner]/[environment]/history/page";
import * as webhooksPage from "@/app/(console)/partners/[partner]/[environment]/webhooks/page";
import { isPostgres, watchStatements } from "@/lib/platform/database/testing/sent-statements";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { readTimings } from "@/lib/platform/runtime/timings";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { inWorld, partner, save } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { sql } from "kysely";
import { isValidElement, type ReactElement, type ReactNode } from "react";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

/*
 * How often a page and a route ask the database, from the cookie on: all that they do until their answer is there. With
 * `STATEMENTS=1`, prints what they send.
 */

const request = vi.hoisted(() => ({ session: "", read: new Map<object, unknown>() }));
vi.unmock("@/lib/platform/auth/sessions/read-session");
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({
    get: (name: string) =>
      name.endsWith("gancho.session") ? { name, value: request.session } : undefined,
    getAll: () => [],
  }),
}));
// As on a page: read once for each request.
vi.mock("react", async (original) => ({
  ...(await original<object>()),
  cache:
    (read: (...args: unknown[]) => unknown) =>
    (...args: unknown[]) => {
      const known = (request.read.get(read) ?? new Map()) as Map<string, unknown>;
      request.read.set(read, known);
      const key = JSON.stringify(args);
      if (!known.has(key)) known.set(key, read(...args));
      return known.get(key);
    },
}));
vi.mock("next-intl/server", () => ({
  getTranslations: async () => (key: string) => key,
  getLocale: async () => "en",
  getNow: async () => new Date(),
  getTimeZone: async () => "UTC",
}));

let watched: ReturnType<typeof watchStatements>;

beforeAll(() => {
  // How often a lock is renewed depends on how busy the machine is.
  vi.useFakeTimers({ toFake: ["setInterval"] });
  // As does whether a reading ends before its page would come without it.
  Object.assign(readTimings, { atOnceMs: 60_000 });
  watched = watchStatements();
});
inWorld({ environment: "production" });
beforeEach(async () => {
  const person = await partner.person("admin");
  signInAs(person);
  request.session = await startSession(db(), person, { clientAddress: null, userAgent: null });
  request.read.clear();
  await save({ type: "both" });
  await endSaves();
});

/** They are followed for ten minutes, which takes a statement more of whoever reads the list. */
const endSaves = () => db().updateTable("changes").set({ state: "closed" }).execute();

/** An additional one must be worth it. */
async function sendsAtMost(most: number, what: string, work: () => Promise<unknown>) {
  const statements = await watched.sentBy(async () => {
    request.read.clear();
    await work();
  });
  request.read.clear();
  const sent = [`${what}: ${statements.length}`, ...statements.map((text) => text.slice(0, 240))];
  if (process.env["STATEMENTS"]) process.stdout.write(`${sent.join("\n  ")}\n`);
  expect(statements.length, sent.join("\n")).toBeLessThanOrEqual(most);
  for (const text of statements) expect(await readWhole(text), text).toEqual([]);
}

/** One row or few. */
const small = ["installation_settings", "schema_info", "watch_services"];

/** Tables that PostgreSQL cannot but go through as a whole for a statement, whatever is asked of it. */
async function readWhole(text: string): Promise<string[]> {
  if (!/^(select|insert|update|delete|with)/i.test(text)) return [];
  const given = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)));
  const values = given === 0 ? "" : `(${Array.from({ length: given }, () => "null").join(", ")})`;
  const plan = await db()
    .transaction()
    .execute(async (trx) => {
      const run = (statement: string) => sql.raw<{ "QUERY PLAN": string }>(statement).execute(trx);
      await run("set local enable_seqscan = off");
      await run("set local plan_cache_mode = force_generic_plan");
      await run(`prepare asked as ${text}`);
      const { rows } = await run(`explain execute asked${values}`);
      await run("deallocate asked");
      return rows.map((row) => row["QUERY PLAN"]).join("\n");
    });
  const tables = [...plan.matchAll(/Seq Scan on (\w+)/g)].map(([, table]) => table ?? "");
  return tables.filter((table) => !small.includes(table));
}

/** Runs the components of the server, whatever they are below. */
async function drawn(node: ReactNode | Promise<ReactNode>): Promise<void> {
  const one = await node;
  if (Array.isArray(one))
    return void (await Promise.all(one.map((each) => drawn(each as ReactNode))));
  if (!isValidElement(one)) return;
  const { type, props } = one as ReactElement<{ children?: ReactNode }>;
  const isOfServer = typeof type === "function" && type.constructor.name === "AsyncFunction";
  const component = type as (given: object) => Promise<ReactNode>;
  await drawn(isOfServer ? component(props) : props.children);
}

type PageFile = {
  generateMetadata: (props: never) => Promise<unknown>;
  default: (props: never) => Promise<ReactElement>;
};

/** A page with its layouts and title. */
async function open(page: PageFile): Promise<void> {
  const place = { partner: partner.id, environment: partner.environment };
  const props = { params: Promise.resolve(place), searchParams: Promise.resolve({}) };
  await Promise.all([
    drawn(ConsoleLayout({ children: null })),
    drawn(partnerLayout.default({ ...props, children: null })),
    partnerLayout.generateMetadata({ ...props, children: null }),
    environmentLayout.generateMetadata({ ...props, children: null }),
    page.generateMetadata(props as never),
    drawn(page.default(props as never)),
  ]);
}

type Handler = typeof getWebhooks;

async function ask(handler: Handler, body?: object) {
  const headers = {
    origin: "http://localhost:3000",
    "x-requested-by": "gancho",
    "content-type": "application/json",
  };
  const asked = new Request("http://localhost:3000/", {
    method: body ? "POST" : "GET",
    headers,
    body: body ? JSON.stringify(body) : null,
  });
  const params = { partner: partner.id, environment: partner.environment };
  const answer = await handler(asked, { params: Promise.resolve(params) });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { configuration?: Configuration } & Configuration;
}

describe.runIf(isPostgres)("PostgreSQL is asked no more often than this", () => {
  it("for a page of the webhooks", async () => {
    await open(webhooksPage);
    await sendsAtMost(7, "webhooks page", () => open(webhooksPage));
  });

  it("for a page of the history", async () => {
    await open(historyPage);
    await sendsAtMost(10, "history page", () => open(historyPage));
  });

  it("for a list", async () => {
    await ask(getWebhooks);
    await sendsAtMost(4, "list", () => ask(getWebhooks));
  });

  it("for a list that shows what nobody here asked for", async () => {
    await ask(getWebhooks);
    await partner.register({ url: "https://outside.example/", type: "pix_in" });
    await sendsAtMost(20, "list of another state", () => ask(getWebhooks));
  });

  it("for a save", async () => {
    const saves = async (url: string, most: number) => {
      const { revision } = await ask(getWebhooks);
      const authorization = { action: "replace", value: `Bearer ${url}` };
      const body = { type: "both", url, revision, authorization, operation: crypto.randomUUID() };
      await sendsAtMost(most, "save", () => ask(postWebhooks, body));
    };
    // The list of partners has not indexed the host.
    await saves("https://a.example/1", 25);
    await endSaves();
    await saves("https://a.example/2", 23);
    // The one before is followed, and its end is seen.
    await saves("https://a.example/3", 25);
  });

  it("for a probe of readiness", async () => {
    const ready = () => getReady(new Request("http://localhost/"), { params: Promise.resolve({}) });
    await ready();
    await sendsAtMost(1, "readiness", ready);
  });
});
