import { expect, test } from "@playwright/test";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import { identities, outcomeFor, routeTable, type Identity, fill } from "@/e2e/access/table";
import { send } from "./send";

let callers: Callers;
test.beforeAll(async () => {
  callers = await makeCallers();
});

const own = process.env["E2E_URL"] ?? "";

/** A mutation of the table, and an identity that is allowed to send it. */
type Mutation = { name: string; method: string; address: string; identity: Identity };

/** Every mutation of the table, so that these tests include new ones. */
const mutations: Mutation[] = Object.entries(routeTable).flatMap(([address, offered]) =>
  Object.entries(offered).flatMap(([method, row]) => {
    const identity = row && identities.find((who) => outcomeFor(row, who) === "yes");
    return method === "GET" || !identity
      ? []
      : [{ name: `${method} ${address}`, method, address, identity }];
  }),
);

/** The mutation as a permitted person would send it: only its body may be refused. */
const requestOf = ({ method, address, identity }: Mutation) => ({
  method,
  path: fill(address, callers.partner.id),
  headers: {
    cookie: callers.cookies[identity],
    origin: own,
    "x-requested-by": "gancho",
    "content-type": "application/json",
  },
  body: JSON.stringify({ noSuchField: true }),
});

/** What a page of another site, a frame or an old browser can make a signed-in person's browser send. */
const forged: Record<string, Record<string, string | undefined>> = {
  "no Origin": { origin: undefined },
  "the Origin of a sandboxed frame": { origin: "null" },
  "another site's Origin": { origin: "https://attacker.example" },
  "an Origin that begins as ours": { origin: `${own}.attacker.example` },
  "an Origin that ends as ours": { origin: `https://attacker.example/${own}` },
  "our Origin with a path": { origin: `${own}/` },
  "our Origin at another port": { origin: "http://localhost:1" },
  "our Origin in another scheme": { origin: own.replace("http:", "https:") },
  "two Origins": { origin: `${own}, https://attacker.example` },
  "another site, as the browser says": { "sec-fetch-site": "cross-site" },
  "a neighbouring site, as the browser says": { "sec-fetch-site": "same-site" },
  "an address that was typed, as the browser says": { "sec-fetch-site": "none" },
  // A forged Host must not count as our own.
  "an Origin that agrees with a made-up Host": {
    host: "attacker.example",
    "x-forwarded-host": "attacker.example",
    origin: "http://attacker.example",
  },
  "no header of our own": { "x-requested-by": undefined },
  "another value of our own header": { "x-requested-by": "XMLHttpRequest" },
};

test("every mutation refuses what another site could make a browser send (threat: cross-site request forgery)", async () => {
  const found: Record<string, unknown> = {};
  for (const [at, mutation] of mutations.entries()) {
    const sent = requestOf(mutation);
    // One is enough for the others: all share one wrapper, as access-table.spec.ts checks.
    for (const [what, headers] of Object.entries(forged).slice(0, at === 0 ? undefined : 1)) {
      const { status, code } = await send({ ...sent, headers: { ...sent.headers, ...headers } });
      if (status !== 403 || code !== "wrong_origin")
        found[`${mutation.name}: ${what}`] = { status, code };
    }
  }
  expect(found).toEqual({});
});

test("every mutation accepts the same request from its own page, up to an unknown field in the body (threat: mass assignment)", async () => {
  const found: Record<string, unknown> = {};
  for (const mutation of mutations) {
    const sent = requestOf(mutation);
    const headers = { ...sent.headers, "sec-fetch-site": "same-origin" };
    found[mutation.name] = (await send({ ...sent, headers })).code;
  }
  expect(new Set(Object.values(found))).toEqual(new Set(["invalid_fields"]));
});

test("a header or field that names another method changes nothing (threat: method override)", async () => {
  const address = "/api/partners/[partner]/members/[member]";
  const headers = {
    cookie: callers.cookies.admin,
    origin: own,
    "x-requested-by": "gancho",
    "x-http-method-override": "DELETE",
    "x-http-method": "DELETE",
    "x-method-override": "DELETE",
  };
  for (const method of ["GET", "POST"]) {
    const path = `${fill(address, callers.partner.id)}?_method=DELETE`;
    expect((await send({ method, path, headers })).status, method).toBe(405);
  }
});
