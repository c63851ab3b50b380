import { expect, test } from "@playwright/test";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import { outcomeFor, pageTable, routeTable, type Identity, fill } from "@/e2e/access/table";
import { send } from "./send";

const own = process.env["E2E_URL"] ?? "";
const secretPath = "only-for-those-who-may-look";

let callers: Callers;
test.beforeAll(async () => {
  callers = await makeCallers();
  await callers.partner.service.register({ url: `https://hooks.example/${secretPath}` });
});

/**
 * Headers by which parts of the framework talk to each other, and which browsers send as well. The server takes away
 * all others, as its own test shows.
 */
const hostile: Record<string, Record<string, string>> = {
  "of a preview": {
    "x-prerender-revalidate": "1",
    "x-prerender-revalidate-if-generated": "1",
    "x-next-cache-tags": "a",
    "x-nextjs-data": "1",
    purpose: "prefetch",
  },
  "of a navigation": { rsc: "1", "next-url": "/partners" },
  "of a prefetch": {
    rsc: "1",
    "next-router-prefetch": "1",
    "next-router-segment-prefetch": "/_tree",
    "next-router-state-tree": encodeURIComponent('["",{},null,"refetch"]'),
  },
  "of a prefetch that no page makes": { rsc: "1", "next-router-prefetch": "2" },
  "of a navigation from nowhere": {
    rsc: "1",
    "next-router-state-tree": encodeURIComponent('["",{},null,null,true]'),
  },
  "of a navigation that knows nothing": { rsc: "1", "next-router-state-tree": "%5B" },
  "of a hot reload": { rsc: "1", "next-hmr-refresh": "1" },
};

const samples = [
  "/partners",
  "/partners/[partner]/[environment]/webhooks",
  "/api/partners/[partner]/[environment]/webhooks",
];

/** The framework redirects a request for a page's data that lacks the mark of such requests. */
async function sendAsPart(sent: Parameters<typeof send>[0]) {
  const answer = await send(sent);
  const to = new URL(answer.headers.location ?? "", own);
  return to.searchParams.has("_rsc") ? send({ ...sent, path: to.pathname + to.search }) : answer;
}

const outsiders: Identity[] = ["signed out", "another partner's admin"];

/** Checks for texts that only people of the partner may read. */
function revealsNothing(body: string, where: string): void {
  for (const words of [callers.partner.name, secretPath, `@${callers.partner.id}.example`])
    expect(body.includes(words), `${where} tells of ${words}`).toBe(false);
}

for (const [kind, headers] of Object.entries(hostile))
  test(`headers ${kind} open no page and no route, and break none (threat: headers that the framework trusts)`, async () => {
    const rows = Object.entries({ ...pageTable, ...readable() });
    // Headers with `rsc` are tried at every address; the others act alike everywhere, so samples do.
    const asked = "rsc" in headers ? rows : rows.filter(([address]) => samples.includes(address));
    for (const [address, row] of asked)
      for (const identity of outsiders) {
        const outcome = outcomeFor(row, identity);
        if (outcome === "yes") continue;
        const answer = await sendAsPart({
          path: fill(address, callers.partner.id),
          headers: { cookie: callers.cookies[identity], ...headers },
        });
        const where = `${address} for ${identity}`;
        expect(answer.status, where).toBeLessThan(500);
        if (address.includes("[partner]") && outcome !== "on" && outcome !== "why")
          revealsNothing(answer.body, where);
        if (!("rsc" in headers)) expect(answer.status, where).toBe(statusOf(outcome, address));
      }
  });

test("what is hidden from outsiders is shown to members", async () => {
  const { cookies, partner } = callers;
  const headers = { cookie: cookies.admin };
  const read = await send({ path: `/api/partners/${partner.id}/sandbox/webhooks`, headers });
  expect(read.body).toContain(secretPath);
  const page = await send({ path: `/partners/${partner.id}/team`, headers });
  expect(page.body).toContain(partner.name);
  const data = await sendAsPart({
    path: `/partners/${partner.id}/team`,
    headers: { ...headers, rsc: "1", "next-url": "/partners" },
  });
  expect(data.headers["content-type"]).toBe("text/x-component");
  expect(data.body).toContain(partner.name);
  const team = await send({ path: `/api/partners/${partner.id}/members`, headers });
  expect(team.body).toContain(`@${partner.id}.example`);
});

const readable = () =>
  Object.fromEntries(
    Object.entries(routeTable).flatMap(([address, { GET }]) => (GET ? [[address, GET]] : [])),
  );

function statusOf(outcome: string, address: string): number {
  const isRoute = address.startsWith("/api/");
  if (outcome === "gone") return 404;
  if (outcome === "out") return isRoute ? 401 : 307;
  // A page is a 200 that says so in words.
  if (outcome === "no") return isRoute ? 403 : 200;
  return isRoute ? 403 : 307;
}

test("every kind of answer has the headers on caching and embedding, and none that lets another site read it (threat: a page in a frame, a sniffed type, a shared cache, another site's script)", async () => {
  const origin = { origin: "https://attacker.example" };
  const page = await send({ path: "/sign-in", headers: origin });
  const script = /\/_next\/static\/[^"]+\.js/.exec(page.body)?.[0] ?? "";
  const { partner, cookies } = callers;
  const headers = { ...origin, cookie: cookies.admin };
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers": "content-type, x-requested-by",
  };
  const answers = {
    page,
    script: await send({ path: script, headers: origin }),
    "page of data": await send({ path: `/partners/${partner.id}/team`, headers }),
    "page's data": await sendAsPart({
      path: `/partners/${partner.id}/team`,
      headers: { ...headers, rsc: "1", "next-url": "/partners" },
    }),
    "page that is not there": await send({ path: "/nothing-here", headers }),
    route: await send({ path: `/api/partners/${partner.id}/sandbox/webhooks`, headers }),
    "route that is not there": await send({ path: "/api/nothing-here", headers }),
    "redirect to sign-in": await send({ path: "/partners", headers: origin }),
    preflight: await send({
      method: "OPTIONS",
      path: `/api/partners/${partner.id}/members`,
      headers: { ...headers, ...preflight },
    }),
  };
  for (const [kind, answer] of Object.entries(answers)) {
    expect(answer.headers, kind).toMatchObject({
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      // Every feature that is named is refused; passkeys are not, and their own tests use them.
      "permissions-policy": expect.stringMatching(
        /^camera=\(\), (?:(?!publickey)[\w-]+=\(\)(?:, |$))+$/,
      ),
    });
    expect(answer.headers, kind).not.toHaveProperty("x-powered-by");
    expect(Object.keys(answer.headers).join(), kind).not.toMatch(/access-control-/);
    if (kind === "script" || answer.status === 307) continue;
    expect(answer.headers["cache-control"], kind).toContain("no-store");
    expect(answer.headers, kind).not.toHaveProperty("etag");
  }
  expect(Object.values(answers).map(({ status }) => status)).toEqual([
    200, 200, 200, 200, 404, 200, 404, 307, 405,
  ]);
  expect(answers["page's data"].headers["content-type"]).toBe("text/x-component");
  expect(answers.script.body).not.toContain("sourceMappingURL");
  expect((await send({ path: `${script}.map` })).status).toBe(404);
});

test("unused parts of the framework are absent (threat: unguarded endpoints)", async () => {
  for (const address of [
    "/_next/image?url=%2Ficons%2Ficon.svg&w=64&q=75",
    `/_next/image?url=${encodeURIComponent("http://127.0.0.1:1/")}&w=64&q=75`,
    "/_next/data/build/partners.json",
    "/_next/webpack-hmr",
    "/__nextjs_original-stack-frames",
    "/_next/static/../server/app/page.js",
    "/_next/static/%2e%2e/%2e%2e/package.json",
    "/..%2f..%2fpackage.json",
    "/.env",
    "/.next/BUILD_ID",
    "/package.json",
  ]) {
    const { status } = await send({ path: address, headers: { cookie: callers.cookies.admin } });
    expect([400, 404], address).toContain(status);
  }
});

test("a line break in a request adds no header to the answer (threat: header injection)", async () => {
  const breaks = [
    "%0d%0aset-cookie:%20planted=1",
    "%0aset-cookie:planted=1",
    "%E5%98%8A%E5%98%8Dset-cookie:planted=1",
  ];
  for (const broken of breaks)
    for (const address of [
      `/${broken}`,
      `/partners?x=${broken}`,
      `/sign-in?callbackUrl=/${broken}`,
      `/partners/${broken}/sandbox/webhooks`,
      `/api/partners/${broken}/history?format=csv`,
      `/api/partners/${callers.partner.id}/history?format=${broken}`,
      `/api/auth/signin?callbackUrl=/${broken}`,
    ])
      for (const cookie of ["", callers.cookies.admin]) {
        const answer = await send({ path: address, headers: { cookie } });
        expect(answer.status, address).toBeLessThan(500);
        expect(answer.headers["planted"], address).toBeUndefined();
        expect(String(answer.headers["set-cookie"]), address).not.toMatch(/(^|,)\s*planted=/);
      }
});

test("a second request hidden in the first one's body is not answered (threat: request smuggling)", async () => {
  const { hostname, port } = new URL(own);
  const hidden = "GET /api/health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
  for (const lengths of [
    "Content-Length: 4\r\nTransfer-Encoding: chunked",
    "Content-Length: 4\r\nContent-Length: 5",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
    "Transfer-Encoding : chunked",
    "Content-Length: +4",
  ]) {
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/nothing-here HTTP/1.1\r\nHost: localhost\r\n${lengths}\r\n\r\n0\r\n\r\n${hidden}`,
    );
    const answers = await text(socket);
    expect(answers.match(/^HTTP\/1\.1 \d+/gm), lengths).toEqual(["HTTP/1.1 400"]);
  }
});
