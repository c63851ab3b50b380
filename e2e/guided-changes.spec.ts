import type { Page } from "@playwright/test";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import type { CheckRequest } from "@/lib/endpoint-check/model/request";
import { canary } from "@/e2e/canaries/canary";
import { inspect, look } from "@/e2e/fixtures/inspect";
import { createPartner } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";

const first = "https://hooks.loja.example/first";
const second = "https://hooks.loja.example/second";
const value = `Bearer ${canary("authorization", "guided")}`;
const next = `Bearer ${canary("authorization", "guided-next")}`;

function sheet(page: Page) {
  return page.getByRole("dialog", { name: "Edit webhook" });
}

test.describe("an earlier address", () => {
  test.beforeEach(async ({ page, partner, signIn }) => {
    await partner.register({ type: "pix_in", url: first, authorization: value });
    await signIn(await partner.person("admin"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
    await sheet(page).getByLabel("Callback URL").fill(second);
    await sheet(page)
      .getByRole("button", { name: /^Overwrite/ })
      .click();
    await expect(page.getByRole("status")).toContainText("Saved and confirmed");
  });

  test("is restored from the history, with the diff before it is saved @main", async ({
    page,
    partner,
  }) => {
    await page.goto(`/partners/${partner.id}/sandbox/history`);
    const entry = page.getByRole("listitem").filter({ hasText: "Pix in overwritten" });
    await entry.getByRole("link", { name: "Restore the earlier address" }).click();
    await expect(sheet(page)).toContainText("Restoring an earlier address");
    await expect(sheet(page).getByLabel("Callback URL")).toHaveValue(first);
    await expect(sheet(page).getByRole("radio", { name: /^Keep the current value/ })).toBeChecked();
    await expect(sheet(page).getByRole("region", { name: "What will change" })).toContainText(
      "Pix in · overwrite",
    );
    await sheet(page)
      .getByRole("button", { name: /^Overwrite/ })
      .click();
    await expect(page.getByRole("status")).toContainText("Saved and confirmed");
    expect(await partner.service.list()).toMatchObject([{ callback_url: first }]);
  });

  test("with a changed value needs it typed @main", async ({ page, partner }) => {
    await partner.service.register({ type: "pix_in", url: second, authorization: next });
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    const changes = page.getByRole("region", { name: "Recent changes" });
    await changes
      .getByRole("listitem")
      .filter({ hasText: "Pix in overwritten" })
      .getByRole("button", { name: /^View diff/ })
      .click();
    await changes.getByRole("button", { name: "Restore the earlier address" }).click();
    await expect(sheet(page).getByLabel("Callback URL")).toHaveValue(first);
    await expect(sheet(page).getByRole("radio", { name: /^Replace it/ })).toBeChecked();
    await sheet(page)
      .getByRole("button", { name: /^Overwrite/ })
      .click();
    await expect(
      sheet(page).getByRole("textbox", { name: "Authorization value" }),
    ).toHaveAccessibleDescription(/value/i);
    expect(await partner.service.list()).toMatchObject([{ callback_url: second }]);
  });

  test("is offered to nobody who may not save", async ({ page, partner, signIn }) => {
    await signIn(await partner.person("viewer"));
    await page.goto(`/partners/${partner.id}/sandbox/history`);
    await expect(page.getByText("Pix in overwritten")).toBeVisible();
    await expect(page.getByRole("link", { name: "Restore the earlier address" })).toHaveCount(0);
  });
});

test("an address is taken over to another environment, and its value is chosen anew @main", async ({
  page,
  partner,
  signIn,
}) => {
  const production = await createPartner();
  await partner.disconnect("production");
  await partner.connect("production", production.credentials);
  await partner.service.register({ type: "pix_in", url: first, authorization: value });
  await signIn(await partner.person("admin"));
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  const card = page.getByRole("region", { name: "Pix in", exact: true });
  await card.getByRole("button", { name: "More for Pix in" }).click();
  await page.getByRole("menuitem", { name: "Use this address in Production" }).click();
  const target = page.getByRole("dialog", { name: "Register webhook" });
  await expect(target).toContainText("Using the address from Sandbox");
  await expect(target.getByLabel("Callback URL")).toHaveValue(first);
  await expect(target.getByRole("textbox", { name: "Authorization value" })).toHaveValue("");
  await target.getByRole("textbox", { name: "Authorization value" }).fill(next);
  await target.getByRole("button", { name: "Register Pix in" }).click();
  await expect(page.getByRole("status")).toContainText("Saved and confirmed");
  expect(await production.service.list()).toMatchObject([
    { type: "pix_in", callback_url: first, auth_header: next },
  ]);
});

test.describe("another Authorization value", () => {
  const url = "https://hooks.loja.example/pix";

  /** As a check of a receiver that accepts everything would record it; the requests are kept. */
  async function receiver(
    page: Page,
    accepts: (value: string) => boolean,
    registered: () => string,
  ) {
    const asked: CheckRequest[] = [];
    await page.route("**/endpoint-checks", async (route) => {
      if (route.request().method() !== "POST") return route.fallback();
      const request = route.request().postDataJSON() as CheckRequest;
      asked.push(request);
      const sent = request.typed?.authorization ?? request.replaced ?? registered();
      const isAccepted = accepts(sent);
      const verdict = isAccepted ? "enforced" : "value_refused";
      const ofOld = isAccepted ? "replaced_accepted" : "replaced_refused";
      const answer = (status: number) => ({
        ms: 5,
        status,
        redirectHost: null,
        complete: true,
        failure: null,
      });
      const found: EndpointCheck = {
        type: request.type,
        url,
        typed: request.typed !== undefined,
        ...(request.replaced && { replaced: "known" }),
        verdict: request.replaced ? ofOld : verdict,
        dns: { ms: 1, addresses: ["203.0.114.7"], failure: null },
        tls: { ms: 2, version: "TLSv1.3", certificate: null, failure: null },
        without: answer(401),
        with: answer(isAccepted ? 204 : 401),
        withheld: null,
        sent: "{}",
        by: "Ana Admin",
        at: new Date().toISOString(),
        fingerprint: null,
        requestId: "q",
      };
      return route.fulfill({ json: found });
    });
    return asked;
  }

  test("replaces the old one in steps, and is not saved before the receiver accepts it", async ({
    page,
    partner,
    signIn,
  }) => {
    let deployed = false;
    let removed = false;
    let now = value;
    const accepts = (sent: string) => (sent === value ? !removed : deployed);
    const asked = await receiver(page, accepts, () => now);
    await partner.register({ type: "pix_in", url, authorization: value });
    await signIn(await partner.person("admin"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await page.getByRole("button", { name: "More for Pix in" }).click();
    await page.getByRole("menuitem", { name: "Change the value without a gap" }).click();
    const guide = page.getByRole("dialog", { name: "Change the Authorization value" });
    const save = guide.getByRole("button", { name: "Overwrite Pix in" });
    await expect(save).toBeDisabled();
    await expect(save).toHaveAccessibleDescription(/once your receiver has accepted/);

    await guide.getByRole("textbox", { name: "Authorization value" }).fill(next);
    await guide.getByRole("button", { name: "Check this address" }).click();
    await expect(guide).toContainText("The value is refused.");
    await expect(save).toBeDisabled();
    await inspect(page, "change-value");

    deployed = true;
    await guide.getByRole("button", { name: "Check this address" }).click();
    await expect(save).toBeEnabled();
    // Another value has not been accepted.
    await guide.getByRole("textbox", { name: "Authorization value" }).fill(`${next}x`);
    await expect(save).toBeDisabled();
    await guide.getByRole("textbox", { name: "Authorization value" }).fill(next);
    await save.click();
    await expect(page.getByRole("status")).toContainText("Saved and confirmed");
    now = next;
    expect(await partner.service.list()).toMatchObject([{ callback_url: url, auth_header: next }]);

    await page.getByRole("button", { name: "Check the old value" }).click();
    const panel = page.getByRole("dialog", { name: "Check that an old value is refused" });
    await expect(panel).toContainText("No check has shown yet that the one before is refused.");
    await panel.getByRole("textbox", { name: "Old Authorization value" }).fill(value);
    await panel.getByRole("button", { name: "Check the old value" }).click();
    await expect(panel).toContainText("The typed value is still accepted.");
    removed = true;
    await panel.getByRole("button", { name: "Check the old value" }).click();
    await expect(panel).toContainText("The change is complete.");
    await inspect(page, "old-value");
    expect(asked).toEqual([
      { type: "pix_in", typed: { url, authorization: next } },
      { type: "pix_in", typed: { url, authorization: next } },
      { type: "pix_in" },
      { type: "pix_in", replaced: value },
      { type: "pix_in" },
      { type: "pix_in", replaced: value },
    ]);
  });

  test("of both types leaves the last step open for each until its own old value is refused", async ({
    page,
    partner,
    signIn,
  }) => {
    let now = value;
    const asked = await receiver(
      page,
      (sent) => sent === next,
      () => now,
    );
    for (const type of ["pix_in", "pix_out"] as const)
      await partner.register({ type, url, authorization: value });
    await signIn(await partner.person("admin"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await page.getByRole("button", { name: "More for Pix in" }).click();
    await page.getByRole("menuitem", { name: "Change the value without a gap" }).click();
    const guide = page.getByRole("dialog", { name: "Change the Authorization value" });
    // Chosen in the sheet, which was opened for one.
    await guide.getByRole("radio", { name: "Both" }).check();
    await guide.getByRole("textbox", { name: "Authorization value" }).fill(next);
    await guide.getByRole("button", { name: "Check this address" }).click();
    await guide.getByRole("button", { name: /^Overwrite/ }).click();
    await expect(page.getByRole("status")).toContainText("Saved and confirmed");
    now = next;
    await expect(page.getByText("One step is left for Pix in and Pix out")).toBeVisible();

    asked.length = 0;
    await page.getByRole("button", { name: "Check the old value" }).click();
    const panel = page.getByRole("dialog", { name: "Check that an old value is refused" });
    await panel.getByRole("textbox", { name: "Old Authorization value" }).fill(value);
    await panel.getByRole("button", { name: "Check the old value" }).click();
    await expect(panel).toContainText("The change is complete for Pix in.");
    await inspect(page, "old-value-both");
    // The panel leaves this to the other one.
    await expect(page.getByText("One step is left for Pix out")).toBeVisible();
    await panel.getByRole("button", { name: "Continue with Pix out" }).click();
    await expect(panel.getByRole("radio", { name: "Pix out" })).toBeChecked();
    await expect(panel.getByRole("textbox", { name: "Old Authorization value" })).toHaveValue(
      value,
    );
    await panel.getByRole("button", { name: "Check the old value" }).click();
    await expect(panel).toContainText("The change is complete.");
    expect(asked).toEqual([
      { type: "pix_in" },
      { type: "pix_in", replaced: value },
      { type: "pix_out" },
      { type: "pix_out", replaced: value },
    ]);
    await panel.getByRole("button", { name: "Close", exact: true }).last().click();
    await expect(page.getByText(/^One step is left/)).toHaveCount(0);
  });

  test("does not try the old one while the registered one is refused", async ({
    page,
    partner,
    signIn,
  }) => {
    const asked = await receiver(
      page,
      () => false,
      () => value,
    );
    await partner.register({ type: "pix_in", url, authorization: value });
    await signIn(await partner.person("editor"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await page.getByRole("button", { name: "More for Pix in" }).click();
    await page.getByRole("menuitem", { name: "Check that an old value is refused" }).click();
    const panel = page.getByRole("dialog", { name: "Check that an old value is refused" });
    await panel.getByRole("button", { name: "Check the old value" }).click();
    await expect(panel).toContainText("Enter the value from before.");
    await panel.getByRole("textbox", { name: "Old Authorization value" }).fill("Bearer older");
    await panel.getByRole("button", { name: "Check the old value" }).click();
    await expect(panel).toContainText("The old value was not tried");
    expect(asked).toEqual([{ type: "pix_in" }]);
  });
});

test.describe("as it looks", { tag: "@look" }, () => {
  test.use(look);

  test("guided changes can be read and used by everybody", async ({ page, partner, signIn }) => {
    await signIn(await partner.person("admin"));
    const here = `/partners/${partner.id}/sandbox`;
    await partner.service.register({ type: "pix_in", url: first, authorization: value });
    await page.goto(`${here}/webhooks?edit=pix_in&from=environment.production`);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByLabel(/Callback URL|URL de callback/)).toHaveValue(first);
    await inspect(page, "take-over");
    await dialog.getByLabel(/Callback URL|URL de callback/).fill(second);
    await dialog.getByRole("textbox", { name: /Authorization value|Valor do/ }).fill(next);
    await dialog.getByRole("button", { name: /^(Overwrite|Sobrescrever)/ }).click();
    await expect(page.getByRole("status")).toContainText(/Saved and|Salvo e/);

    await page.goto(`${here}/history`);
    const restore = page.getByRole("link", { name: /Restore the|Restaurar o/ });
    await expect(restore).toBeVisible();
    await inspect(page, "history-restore");
    await restore.click();
    await expect(
      dialog.getByRole("textbox", { name: /Authorization value|Valor do/ }),
    ).toBeVisible();
    await inspect(page, "restore");

    await page.goto(`${here}/webhooks?change=pix_in`);
    await dialog.getByRole("button", { name: /^(Generate|Gerar)/ }).click();
    await expect(dialog.getByRole("button", { name: /^(Check this|Testar este)/ })).toBeVisible();
    await inspect(page, "change-value");
    await page.goto(`${here}/webhooks`);
    await page.getByRole("button", { name: /^(More for|Mais opções de) Pix in/ }).click();
    await page.getByRole("menuitem", { name: /old value|valor antigo/ }).click();
    await expect(dialog.getByRole("textbox")).toBeVisible();
    await inspect(page, "old-value");
  });
});
