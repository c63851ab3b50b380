import { update } from "@/lib/platform/database/testing/rows";
import { db } from "@/lib/platform/database/open";
import { record } from "@/lib/history/testing/history-world";
import type { Page } from "@playwright/test";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import { outcomeFor, pageTable, type Identity, fill } from "@/e2e/access/table";
import { expect, faultyTest as test } from "@/e2e/fixtures/test";

/** Leaves a mark that stays for every page that follows, wherever the script ran. */
const run = "localStorage.setItem('planted','ran')";

/** Places of a page where an unescaped text becomes a script. */
const scripts = [
  `<script>${run}</script>`,
  `<img src=x onerror="${run}">`,
  `"><svg onload=${run}>`,
  `'-${run}-'`,
  `</script><script>${run}</script>`,
  `\${${run}}`,
];
const all = scripts.join(" ");

const asked: Identity[] = ["admin", "support with a view", "operator"];

let callers: Callers;

test.beforeEach(({ expectedNoise }) => {
  // The browser itself logs every unsuccessful answer.
  expectedNoise.push(/Failed to load resource: the server responded with a status of \d{3}/);
});

/** Plants the scripts in every text that one person or the service writes and another person reads. */
test.beforeAll(async () => {
  callers = await makeCallers();
  const { id } = callers.partner;
  await db().updateTable("partners").set({ name: all }).where("id", "=", id).execute();
  await update("support_views", { reason: all }, { partner_id: id });
  const members = db().selectFrom("memberships").select("user_id").where("partner_id", "=", id);
  const people = await members.execute();
  for (const [at, { user_id }] of people.entries())
    await update(
      "users",
      { name: all, email: `${at}${scripts.at(at % scripts.length) ?? ""}@${id}.example` },
      { id: user_id },
    );
  const state = { callbackUrl: `https://x.example/${all}`, fingerprint: scripts[0] ?? "" };
  const base = {
    partnerId: id,
    environment: "production",
    types: ["pix_in"],
    actor: { id: people[0]?.user_id ?? "", name: all, clientAddress: all },
    requestId: all,
    outcome: "saved",
  };
  const change = { type: "pix_in", outcome: "saved", before: state, after: state } as const;
  const credentials = { clientIdBefore: all, clientIdAfter: all, secretReplaced: true };
  await record(
    { ...base, kind: "save_sent", detail: { saveId: all, changes: [change], problem: all } },
    {
      ...base,
      kind: "support_view_opened",
      detail: { viewId: all, reason: all, expiresAt: Date.now() },
    },
    { ...base, kind: "partner_renamed", detail: { before: all, after: all } },
    { ...base, kind: "connection_changed", detail: { ...credentials, check: all } },
  );
});

async function signInAs(page: Page, identity: Identity): Promise<void> {
  const [name = "", value = ""] = callers.cookies[identity].split(/=(.*)/s);
  const { hostname } = new URL(page.url() === "about:blank" ? "http://localhost" : page.url());
  await page.context().addCookies([{ name, value, domain: hostname, path: "/" }]);
}

async function expectNothingRan(page: Page, where: string): Promise<void> {
  const mark = await page.evaluate(() => localStorage.getItem("planted"));
  expect(mark, `a script ran on ${where}`).toBeNull();
}

for (const identity of asked)
  test(`what people and the service write is text on every page that ${identity} sees (threat: stored scripts)`, async ({
    page,
    dashboard: { upstream },
  }) => {
    const webhook = {
      type: "pix_in",
      callback_url: `https://x.example/${all}`,
      auth_header: all,
      events: [all],
    };
    const body = JSON.stringify({ webhooks: [webhook, { ...webhook, type: all }], error: all });
    upstream.setPlan({ rules: [{ kind: "list", times: 2, action: { answer: { body } } }] });
    await signInAs(page, identity);
    for (const [address, row] of Object.entries(pageTable)) {
      if (outcomeFor(row, identity) !== "yes") continue;
      const path = fill(address, callers.partner.id).replace("/sandbox/", "/production/");
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      await expectNothingRan(page, `${address} for ${identity}`);
    }
    await page.goto("/partners");
    if (identity === "operator") await expect(page.locator("main")).toContainText(scripts[0] ?? "");
  });

test("what the service writes is text where it refuses (threat: scripts in the service's errors)", async ({
  page,
  dashboard: { upstream },
}) => {
  await signInAs(page, "admin");
  const address = `/partners/${callers.partner.id}/production/webhooks`;
  // The page shows 200 characters of the service's text.
  for (const [status, script] of [
    [403, scripts.slice(0, 2).join(" ")],
    [422, scripts.slice(2).join(" ")],
  ] as const) {
    const body = JSON.stringify({ error: script, message: script, detail: script });
    upstream.setPlan({ rules: [{ kind: "any", action: { answer: { status, body } } }] });
    await page.goto(address);
    await page.waitForLoadState("networkidle");
    await expectNothingRan(page, `${address}, refused with ${status}`);
    if (status !== 403) continue;
    // It is shown, and a refusal of 403 names the address to allow.
    await expect(page.getByText("The payment service said:")).toContainText(script.slice(0, 40));
    await expect(page.getByText(/203\.0\.113\.7/)).toBeVisible();
  }
  await expect(page.locator("main img[src=x], main svg[onload]")).toHaveCount(0);
});

test("text in an address is shown as text, or not at all (threat: reflected scripts)", async ({
  page,
}) => {
  const { id } = callers.partner;
  const said = encodeURIComponent(all);
  for (const identity of [null, "admin"] as const) {
    if (identity) await signInAs(page, identity);
    for (const address of [
      `/sign-in?callbackUrl=${encodeURIComponent(`javascript:${run}`)}`,
      `/sign-in?callbackUrl=${said}&error=${said}`,
      `/partners?search=${said}&status=${said}`,
      `/partners/${said}/production/webhooks`,
      `/partners/${id}/production/history?actor=${said}&from=${said}`,
      `/partners/${id}/production/webhooks?edit=${said}`,
      `/invitation?x=${said}#${said}`,
      `/${said}`,
    ]) {
      await page.goto(address, { waitUntil: "load" });
      await expectNothingRan(page, address);
    }
  }
});

test("a script that still got into a page does not run under the policy, and would without it (threat: an unknown injection)", async ({
  page,
  context,
  expectedNoise,
  expectedViolations,
}) => {
  expectedViolations.push(/content security policy/i);
  expectedNoise.push(/./);
  const markup = [
    `<img src="data:," onerror="${run}">`,
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    `<a href="javascript:${run}">go</a>`,
    `<button onclick="${run}">press</button>`,
    `<style>@import "https://attacker.example/x.css"</style>`,
    `<base href="https://attacker.example/">`,
  ].join("");
  await page.goto("/sign-in");
  const inserted = await page.evaluate((html) => {
    try {
      document.createElement("div").innerHTML = html;
      return "inserted";
    } catch (error) {
      return String(error);
    }
  }, markup);
  expect(inserted).toContain("TypeError");

  // The rest of the policy has to stop it in a browser without trusted types.
  await page.route("/sign-in", async (route) => {
    const response = await route.fetch();
    const policy = response.headers()["content-security-policy"] ?? "";
    const older = policy.replace(/; (?:require-)?trusted-types[^;]*/g, "");
    await route.fulfill({
      response,
      headers: { ...response.headers(), "content-security-policy": older },
    });
  });
  const tryIt = async (where: Page) => {
    await where.evaluate((html) => {
      const element = document.createElement("div");
      element.id = "injected";
      element.innerHTML = html;
      document.body.append(element);
      element.querySelector("button")?.click();
      element.querySelector("a")?.click();
    }, markup);
    await where.waitForFunction(() => document.querySelector("#injected img") !== null);
  };
  await page.goto("/sign-in");
  await tryIt(page);
  await expectNothingRan(page, "the sign-in page");
  expect(await page.evaluate(() => document.baseURI)).toBe(page.url());

  const address = new URL("/without-policy", page.url()).href;
  await context.route(address, (route) =>
    route.fulfill({ contentType: "text/html", body: "<!doctype html><body></body>" }),
  );
  await page.goto(address);
  await tryIt(page);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("planted"))).toBe("ran");
});
