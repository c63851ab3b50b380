import type { Page } from "@playwright/test";
import { canary } from "@/e2e/canaries/canary";
import { inspect } from "@/e2e/fixtures/inspect";
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
    await partner.service.register({ type: "pix_in", url: first, authorization: value });
    await signIn(await partner.person("admin"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks?edit=pix_in`);
    await sheet(page).getByLabel("Callback URL").fill(second);
    await sheet(page)
      .getByRole("button", { name: /^Overwrite/ })
      .click();
    await expect(page.getByRole("status")).toContainText("Saved and confirmed");
  });

  test("is restored from the history, with the diff before it is saved", async ({
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

  test("whose value is another one now asks for it to be typed", async ({ page, partner }) => {
    await partner.service.register({ type: "pix_in", url: second, authorization: next });
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    const changes = page.getByRole("region", { name: "Recent changes" });
    await changes
      .getByRole("listitem")
      .filter({ hasText: "Overwrote Pix in" })
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

test("an address is taken over to another environment, and its value is chosen anew", async ({
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
  await expect(target).toContainText("Taking over the address from Sandbox");
  await expect(target.getByLabel("Callback URL")).toHaveValue(first);
  await expect(target.getByRole("textbox", { name: "Authorization value" })).toHaveValue("");
  await target.getByRole("textbox", { name: "Authorization value" }).fill(next);
  await target.getByRole("button", { name: "Register Pix in" }).click();
  await expect(page.getByRole("status")).toContainText("Saved and confirmed");
  expect(await production.service.list()).toMatchObject([
    { type: "pix_in", callback_url: first, auth_header: next },
  ]);
});

test.describe("first steps", () => {
  const steps = (page: Page) => page.getByRole("region", { name: "First steps" });
  const step = (page: Page, title: string) =>
    steps(page).getByRole("listitem").filter({ hasText: title });

  test("are ticked by what there is, from an environment without a connection to a registered address", async ({
    page,
    partner,
    signIn,
  }) => {
    await partner.disconnect("sandbox");
    await signIn(await partner.person("admin"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await expect(steps(page)).toContainText("6 of 6 left");
    await expect(step(page, "Connect to the payment service")).toContainText("(to do)");

    await partner.connect("sandbox");
    await page.reload();
    await expect(steps(page)).toContainText("4 of 6 left");
    await expect(step(page, "Connect to the payment service")).toContainText("(done)");
    await inspect(page, "first-steps", "dark");

    await partner.service.register({ url: first, authorization: value });
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(steps(page)).toContainText("2 of 6 left");
    // Once something is registered, they take one line.
    await expect(steps(page).getByRole("listitem")).toHaveCount(0);
    await steps(page).getByRole("button", { name: "Show the steps" }).click();
    await expect(step(page, "Set an Authorization value")).toContainText("(done)");
    await partner.person("admin");
    await page.reload();
    await expect(steps(page)).toContainText("1 of 6 left");
  });

  test("are put away for good by one person, and say to others who can do them", async ({
    page,
    partner,
    signIn,
  }) => {
    await signIn(await partner.person("admin"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await steps(page).getByRole("button", { name: "Put away" }).click();
    await expect(steps(page).getByRole("button", { name: "Bring back" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("region", { name: "Pix in", exact: true })).toBeVisible();
    await expect(steps(page)).toHaveCount(0);
    await signIn(await partner.person("viewer"));
    await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
    await expect(step(page, "Choose where notifications go")).toContainText(
      "An editor or admin of the partner can do this.",
    );
    await expect(step(page, "Add a second admin")).toContainText(
      "An admin of the partner can do this.",
    );
    await expect(steps(page).getByRole("link", { name: "Invite an admin" })).toHaveCount(0);
  });
});
