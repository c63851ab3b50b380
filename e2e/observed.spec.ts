import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "./fixtures/test";
import { cookieOf, userIdOf } from "./fixtures/signed-in";

type Line = { level: string; msg: string; requestId?: string; time: string } & Record<
  string,
  unknown
>;

/** What the dashboard printed: one JSON object a line, without exception. */
function logged(): Line[] {
  const file = path.join(process.env["E2E_FOLDER"] ?? "", "logs", "dashboard.log");
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** The lines of one request; the output reaches the file a moment later. */
async function linesOf(requestId: string | undefined): Promise<Line[]> {
  const lines = () => logged().filter((line) => line.requestId === requestId);
  await expect.poll(() => lines().some(({ msg }) => /^(request|refused)$/.test(msg))).toBe(true);
  return lines();
}

test("the log names a page's request, its person and its calls to the payment service under the answer's id", async ({
  partner,
  request,
}) => {
  const email = await partner.person("admin");
  const path = `/partners/${partner.id}/sandbox/webhooks`;
  const answer = await request.get(path, { headers: { cookie: await cookieOf(email) } });
  await answer.body();
  const lines = await linesOf(answer.headers()["x-request-id"]);
  // In one line: each page would otherwise be three times as much to keep.
  expect(lines).toMatchObject([
    {
      level: "info",
      msg: "request",
      status: 200,
      path,
      userId: await userIdOf(email),
      calls: [{ call: "token" }, { call: "list" }],
    },
  ]);
});

test("the log leaves out probes", async ({ request }) => {
  const probe = await request.get("/api/health/ready");
  expect(probe.status()).toBe(200);
  const id = probe.headers()["x-request-id"];
  expect(logged().filter(({ requestId }) => requestId === id)).toEqual([]);
});

test("the log says which versions run once Gancho is ready", () => {
  const ready = logged().find(({ msg }) => msg.startsWith("Gancho ready at "));
  expect(ready).toMatchObject({
    version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    node: process.version,
  });
});

test("metrics are served on a separate port only, and name nobody", async ({
  partner,
  request,
}) => {
  const cookie = await cookieOf(await partner.person("admin"));
  const page = `/partners/${partner.id}/sandbox/webhooks`;
  await (await request.get(page, { headers: { cookie } })).body();
  const url = process.env["E2E_METRICS_URL"] ?? "";
  const metrics = async () => (await request.get(url)).text();
  const route = "/partners/[partner]/[environment]/webhooks";
  await expect
    .poll(metrics)
    .toContain(`gancho_http_requests_total{method="GET",route="${route}",status="200"}`);
  const text = await metrics();
  expect(text).toMatch(
    /gancho_payment_service_requests_total\{environment="sandbox",call="list",purpose="person",result="ok"\} [1-9]/,
  );
  expect(text).toContain('gancho_figures_up{group="watch"} 1');
  expect(text).not.toContain(partner.id);
  expect((await request.get("/metrics", { headers: { cookie } })).status()).toBe(404);
});
