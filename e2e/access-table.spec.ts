import { expect, test } from "@playwright/test";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import {
  identities,
  otherRoutes,
  outcomeFor,
  pageTable,
  routeTable,
  unknownAddresses,
  unknownPages,
  viewing,
  type Identity,
  type Outcome,
  fill,
} from "@/e2e/access/table";
import { isWithoutProxy } from "@/e2e/installation/without-proxy";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("../app", import.meta.url));
const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;

const sampled: Identity[] = ["signed out", "another partner's admin", "admin"];

let callers: Callers;

test.beforeAll(async () => {
  callers = await makeCallers();
});

const base = process.env["E2E_URL"] ?? "";

type Answer = { status: number; headers: Record<string, string>; body: string };

async function send(method: string, path: string, identity: Identity): Promise<Answer> {
  const isRead = method === "GET" || method === "HEAD" || method === "OPTIONS";
  const response = await fetch(base + path, {
    method,
    redirect: "manual",
    headers: {
      cookie: callers.cookies[identity],
      origin: base,
      "x-requested-by": "gancho",
      ...(isRead ? {} : { "content-type": "application/json" }),
    },
    // No route has this field, so a request that gets as far as the body is refused and changes nothing.
    ...(isRead ? {} : { body: JSON.stringify({ noSuchField: true }) }),
  });
  const headers = Object.fromEntries(
    [...response.headers].filter(([name]) => !differing.has(name)),
  );
  return { status: response.status, headers, body: await response.text() };
}

/** Headers that differ between any two answers. */
const differing = new Set(["x-request-id", "date", "content-security-policy"]);

/** The same bytes but for the request's id. */
const withoutRequestId = ({ body }: Answer) =>
  body.replace(/"requestId":"[0-9a-f]{16}"/, '"requestId":"…"');

function outcomeOf(method: string, { status, body }: Answer): Outcome | number | string {
  if (status === 200 || status === 422) return "yes";
  if (status === 401) return "out";
  if (status === 404) return "gone";
  if (status !== 403) return status;
  if (method === "HEAD") return "no";
  const code: unknown = (JSON.parse(body) as { code?: unknown }).code;
  return code === "support_view_required" ? "why" : code === "forbidden" ? "no" : String(code);
}

test("the table names every page and route, and no other", () => {
  expect([...Object.keys(routeTable), ...otherRoutes].sort()).toEqual(addressesOf("route.ts"));
  expect(Object.keys(pageTable).sort()).toEqual(addressesOf("page.tsx"));
});

test("a page has its policy where the proxy is, and only there", async () => {
  const page = await fetch(`${base}/sign-in`);
  expect(page.headers.has("content-security-policy")).toBe(!isWithoutProxy());
});

test("every route handler goes through the one wrapper", () => {
  const wrapped = /^export const \{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS \} = routes\(/m;
  for (const file of filesOf("route.ts"))
    expect(readFileSync(path.join(app, file), "utf8"), file).toMatch(wrapped);
});

for (const [address, offered] of Object.entries({ ...routeTable, ...asRows(unknownAddresses) })) {
  test(`${address} answers each person as the table says`, async () => {
    const found: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const method of methods) {
      const row = offered[method] ?? (method === "HEAD" ? offered["GET"] : undefined);
      // For HEAD and for methods that the table does not list, these few are enough.
      for (const identity of offered[method] ? identities : sampled) {
        const cell = `${method} as ${identity}`;
        const answer = await send(method, fill(address, callers.partner.id), identity);
        found[cell] = outcomeOf(method, answer);
        const outcome = row ? outcomeFor(row, identity) : 405;
        // A HEAD has no body that could say which refusal it is.
        wanted[cell] = method === "HEAD" && outcome === "why" ? "no" : outcome;
        if (row && answer.status === 404 && address.includes("[partner]"))
          await expectNothingThere(method, address, identity, answer);
      }
    }
    expect(found).toEqual(wanted);
  });
}

/** A partner that one has no part in answers with the same bytes as one that does not exist (threat: finding out who is a customer). */
async function expectNothingThere(
  method: string,
  address: string,
  identity: Identity,
  answer: Answer,
): Promise<void> {
  const nothing = await send(method, fill(address, "no-such-partner"), identity);
  expect(withoutRequestId(answer)).toBe(withoutRequestId(nothing));
  expect(answer.headers).toEqual(nothing.headers);
}

function asRows(rows: typeof unknownAddresses) {
  return Object.fromEntries(
    Object.entries(rows).map(([address, row]) => [
      address,
      Object.fromEntries(methods.map((method) => [method, row])),
    ]),
  );
}

for (const [address, row] of Object.entries(pageTable)) {
  test(`the page ${address} shows each person what the table says`, async () => {
    const found: Record<string, unknown> = {};
    const wanted: Record<string, unknown> = {};
    for (const identity of identities) {
      const answer = await send("GET", fill(address, callers.partner.id), identity);
      found[identity] = pageOutcome(answer);
      wanted[identity] = outcomeFor(row, identity);
      if (answer.status === 404) {
        const nothing = await send("GET", fill(address, "no-such-partner"), identity);
        expect(wordsOf(answer)).toBe(wordsOf(nothing));
      }
    }
    expect(found).toEqual(wanted);
  });
}

for (const address of unknownPages) {
  test(`${address} is not found: with the navigation for those who see the partner, and nothing of it for others`, async () => {
    for (const identity of identities) {
      if (identity === "signed out") continue;
      const answer = await send("GET", fill(address, callers.partner.id), identity);
      expect(answer.status, identity).toBe(404);
      if (outcomeFor(viewing, identity) === "yes") {
        expect(answer.body, identity).toContain(`href="/partners/${callers.partner.id}/`);
        continue;
      }
      const nothing = await send("GET", fill(address, "no-such-partner"), identity);
      expect(wordsOf(answer), identity).toBe(wordsOf(nothing));
    }
  });
}

function pageOutcome(answer: Answer): Outcome | number {
  const { status, headers } = answer;
  const to = headers["location"] ?? "";
  if (status === 307 && to.includes("/sign-in")) return "out";
  if (status === 307) return /\/support-view\?to=/.test(to) ? "why" : "on";
  if (status === 404) return "gone";
  if (status !== 200) return status;
  return wordsOf(answer).includes("You do not have access to this page") ? "no" : "yes";
}

/** The text of a page without its scripts, which repeat the requested address. */
const wordsOf = ({ body }: Answer) =>
  body
    .replace(/<script\b[^>]*>.*?<\/script>/gs, "")
    .replace(/<[^>]+>/g, " ")
    .replace(/\s+/g, " ");

function filesOf(name: "page.tsx" | "route.ts"): string[] {
  const files = readdirSync(app, { recursive: true, encoding: "utf8" });
  return files.filter((file) => path.basename(file) === name);
}

/** The addresses of the app folder, as it names them, with what is in brackets left in. */
const addressesOf = (name: "page.tsx" | "route.ts") =>
  filesOf(name)
    .map((entry) => {
      const folders = path.dirname(entry).split(path.sep);
      const shown = folders.filter((folder) => folder !== "." && !/^\(.*\)$/.test(folder));
      return `/${shown.join("/")}`;
    })
    .sort();
