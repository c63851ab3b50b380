import type { Action } from "@/e2e/faulty-upstream/plan";
import { expect, faultyTest as test } from "@/e2e/fixtures/test";
import type { E2ePartner } from "@/e2e/fixtures/partner";
import { cookieOf } from "@/e2e/fixtures/signed-in";
import type { Page } from "@playwright/test";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { canary } from "@/e2e/canaries/canary";

/** What a person reads when the payment service or its network misbehaves, and that it is true. */
test.describe.configure({ mode: "serial" });
// The browser itself logs every unsuccessful answer.
test.use({
  expectedNoise: [/Failed to load resource: the server responded with a status of (409|50\d)/],
});

const before = "https://hooks.loja.example/before";
const url = "https://hooks.loja.example/pix";
const refused: Action = { apply: "never", answer: { status: 422, body: '{"message":"no"}' } };
const unavailable: Action = { answer: { status: 503, body: "{}" } };

const address = ({ id }: E2ePartner) => `/partners/${id}/production/webhooks`;

/** Opens the form, changes the address of both types, and presses save. */
async function saveBoth(page: Page, partner: E2ePartner) {
  await page.goto(`${address(partner)}?edit=both`);
  const sheet = page.getByRole("dialog");
  await sheet.getByLabel("Callback URL").fill(url);
  await sheet.getByRole("button", { name: /^(Register|Overwrite)/ }).click();
  return sheet;
}

const said = (page: Page, text: RegExp) => page.getByRole("status").filter({ hasText: text });

test("what is known without the service arrives before the service answers", async ({
  partner,
  dashboard: { upstream, url: dashboard },
}) => {
  upstream.setPlan({ rules: [{ kind: "list", action: { cutAfter: 0, ending: "hang" } }] });
  const cookie = await cookieOf(await partner.person("admin"));
  const asked = get(`${dashboard}${address(partner)}`, { headers: { cookie } });
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  const [first] = (await once(answer, "data")) as [Buffer];
  asked.destroy();
  expect(first.toString()).toMatch(/<h1[^>]*>Webhooks</);
  expect(first.toString()).toContain("Asking the payment service what is registered…");
});

test("the last confirmed configuration stays, marked as old and not to be edited, and recovers by itself, without a reload @main", async ({
  page,
  partner,
  signIn,
  refreshUntil,
  dashboard: { upstream },
}) => {
  await partner.register({ url: before });
  await signIn(await partner.person("admin"));
  await page.clock.install();
  await page.goto(address(partner));
  await expect(page.getByRole("button", { name: "Edit Pix in" })).toBeEnabled();

  upstream.setPlan({ rules: [{ kind: "list", action: unavailable }] });
  await refreshUntil(page.getByText("This may be out of date."));
  await expect(page.getByText("The payment service is returning errors.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(before);
  await page.getByRole("button", { name: "Edit Pix in" }).click({ force: true });
  await expect(page.getByRole("dialog")).toHaveCount(0);

  upstream.setPlan({ rules: [] });
  await page.clock.fastForward(10_000);
  await expect(page.getByText("This may be out of date.")).toHaveCount(0);

  const refresh = page.getByRole("button", { name: "Refresh" });
  await refresh.click();
  await expect(page.getByText("Up to date.")).toBeAttached();
  await page.route("**/api/partners/**", (route) => route.fulfill({ body: "not Gancho" }));
  await refresh.click();
  await expect(page.getByText("It could not be confirmed just now.")).toBeAttached();
  await page.unroute("**/api/partners/**");
  await refresh.click();
  await expect(page.getByText("Up to date.")).toBeAttached();

  await page.getByRole("button", { name: "Edit Pix in" }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
});

test("a save after a 404 with another text than the contract's needs confirmation, if nothing is known yet", async ({
  page,
  partner,
  signIn,
  dashboard: { upstream },
}) => {
  await partner.service.register({ url: before });
  await signIn(await partner.person("admin"));
  const answer = { status: 404, body: '{"message":"no such thing"}' };
  upstream.setPlan({ rules: [{ kind: "list", action: { answer } }] });
  const sheet = await saveBoth(page, partner);
  // Nothing is known to be registered, so a save without a value has to be confirmed first.
  await sheet.getByRole("button", { name: /^Register .* without Authorization$/ }).click();
  await expect(page.getByText("Save despite the ambiguous answer?")).toBeVisible();
  await expect(
    page.getByText("The dashboard cannot tell whether anything is registered here."),
  ).toBeVisible();
  expect((await partner.service.list()).map((webhook) => webhook.callback_url)).toEqual([
    before,
    before,
  ]);
  expect(upstream.counts().register).toBe(0);
});

test.describe("a save", () => {
  test.beforeEach(async ({ partner, signIn }) => {
    await partner.register({
      url: before,
      authorization: `Bearer ${canary("authorization", "kept")}`,
    });
    await signIn(await partner.person("admin"));
  });

  const held = async (partner: E2ePartner) =>
    (await partner.service.list()).map(({ callback_url }) => callback_url);

  test("that took effect for one type offers to save the other one", async ({
    page,
    partner,
    dashboard: { upstream },
  }) => {
    // Each type keeps a different value, so that each takes a separate call.
    await partner.register({
      url: before,
      type: "pix_out",
      authorization: `Bearer ${canary("authorization", "other")}`,
    });
    upstream.setPlan({ rules: [{ kind: "register", from: 2, action: refused }] });
    const sheet = await saveBoth(page, partner);
    const alert = sheet.getByRole("alert").filter({ hasText: /^Refused/ });
    await expect(alert).toBeVisible();
    expect(await held(partner)).toEqual([url, before]);
    upstream.setPlan({ rules: [] });
    await alert.getByRole("button", { name: "Overwrite Pix out" }).click();
    await expect(said(page, /^Saved/)).toBeVisible();
    expect(await held(partner)).toEqual([url, url]);
  });

  test("is answered and recorded although the dashboard stops meanwhile, and ready says no", async ({
    page,
    partner,
    dashboard,
  }) => {
    const { url: origin, program } = await dashboard.another();
    const api = `${origin}/api/partners/${partner.id}/production/webhooks`;
    const { revision } = (await (await page.request.get(api)).json()) as { revision: string };
    dashboard.upstream.setPlan({ rules: [{ kind: "register", action: { delayMs: 2_000 } }] });
    const answer = page.request.post(api, {
      headers: { origin, "x-requested-by": "gancho" },
      data: { type: "both", url, revision, authorization: { action: "keep" } },
    });
    await expect.poll(() => dashboard.upstream.counts().register).toBe(1);
    const probe = (name: string) =>
      // A connection for each, as a probe makes.
      page.request.get(`${origin}/api/health/${name}`, { headers: { connection: "close" } });
    const ready = async () => [
      (await probe("ready")).status(),
      await (await probe("ready")).json(),
    ];
    process.kill(program.pid, "SIGTERM");
    await expect.poll(ready).toMatchObject([503, { status: "stopping" }]);
    expect((await probe("live")).status()).toBe(200);

    const saved = await answer;
    expect(await saved.json()).toMatchObject({ outcome: "saved" });
    await program.stop();
    await expect(probe("live")).rejects.toThrow();
    // Another process finds it recorded and closed.
    const { operation } = (await saved.json()) as { operation: string };
    const ours = `/api/partners/${partner.id}/production/operations/${operation}`;
    expect(await (await page.request.get(ours)).json()).toMatchObject({
      outcome: "saved",
      requestId: saved.headers()["x-request-id"],
    });
  });
});
