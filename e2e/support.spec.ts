import type { Page } from "@playwright/test";
import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";
import { canary } from "@/e2e/canaries/canary";

const url = "https://hooks.loja.example/pix?token=query-secret";

async function openView(page: Page, reason = "ticket 48211"): Promise<void> {
  await page.getByLabel("Reason").fill(reason);
  await page.getByRole("button", { name: "Start read-only view" }).click();
  await expect(page.getByRole("region", { name: "Support view" })).toContainText(reason);
}

test("support finds a partner, gives a reason, views, copies a diagnosis without secrets and leaves, and the partner can see it @main", async ({
  page,
  partner,
  staff,
  signIn,
  signOut,
  visit,
}) => {
  await partner.service.register({
    url,
    authorization: `Bearer ${canary("authorization", "header-secret")}`,
  });
  await signIn(await staff("support"));
  await page.goto("/");
  await expect(page).toHaveURL(/\/partners(\?environment=[a-z]+)?$/);
  await page.getByLabel("Search by name, ID or host").fill(partner.name);
  await page.getByRole("link", { name: partner.name, exact: true }).click();

  await expect(page.getByRole("heading", { name: `View ${partner.name}` })).toBeVisible();
  await page.getByLabel("Reason").fill("hm");
  await page.getByRole("button", { name: "Start read-only view" }).click();
  await expect(page.getByLabel("Reason")).toHaveAttribute("aria-invalid", "true");
  await openView(page);

  await expect(page).toHaveURL(`/partners/${partner.id}/production/webhooks`);
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  await expect(page.getByText("Support can view but not change anything.")).toBeVisible();
  await expect(page.getByRole("button", { name: /^(Edit|Register)/ })).toHaveCount(0);
  await expect(page.getByRole("timer")).toHaveText(/^(30:00|29:\d\d)$/);
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      document.documentElement.dataset["copied"] = text;
    };
  });
  await page.getByRole("button", { name: "Copy diagnosis" }).click();
  const root = page.locator("html");
  await expect(root).toHaveAttribute("data-copied", /^Diagnosis\n/);
  const copied = (await root.getAttribute("data-copied")) ?? "";
  expect(copied).toContain(`partner: ${partner.id}`);
  expect(copied).toContain("pix_in: hooks.loja.example, a value or a mask was shown");
  expect(copied).not.toMatch(/query-secret|header-secret|token/);

  await page.getByRole("button", { name: "End view" }).click();
  await expect(page).toHaveURL(/\/partners(\?environment=[a-z]+)?$/);
  await page.goto(`/partners/${partner.id}/production/webhooks`);
  await expect(page.getByRole("heading", { name: `View ${partner.name}` })).toBeVisible();

  await signOut();
  await visit("viewer", "production/history");
  await expect(page.getByRole("main")).toContainText("ticket 48211");
  await expect(page.getByRole("main")).toContainText("Sol Suporte");
});

test("the list is searched by host and narrowed down, and the address keeps both", async ({
  page,
  partner,
  staff,
  signIn,
}) => {
  const host = `hooks-${partner.id}.example`;
  await partner.service.register({ url: `https://${host}/pix`, type: "pix_in" });
  await signIn(await staff("support"));
  await page.goto(`/partners/${partner.id}/production/webhooks`);
  await openView(page);
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(host);

  await page.goto("/partners");
  // A key that is pressed before the page listens goes nowhere, and a person presses again.
  await expect(async () => {
    await page.keyboard.press("/");
    await expect(page.getByLabel("Search by name, ID or host")).toBeFocused({ timeout: 500 });
  }).toPass();
  await page.keyboard.type(`https://${host}/anything`);
  const line = page.getByRole("row").filter({ hasText: host });
  await expect(line).toContainText("Pix out missing");
  await expect(line).toContainText("No Authorization");
  await page.getByRole("button", { name: "Missing a type" }).click();
  await expect(line).toBeVisible();
  await page.reload();
  await expect(line).toBeVisible();
  await expect(page.getByRole("button", { name: "Missing a type" })).toHaveAttribute(
    "aria-pressed",
    "true",
  );
  // On a phone, the same is a list to choose from.
  await page.setViewportSize({ width: 320, height: 700 });
  const choice = page.getByRole("combobox", { name: "Show only" });
  await expect(choice).toHaveValue("type_missing");
  await choice.selectOption("Any status");
  await expect(line).toBeVisible();
  await page.setViewportSize({ width: 1280, height: 720 });
  await page.getByRole("button", { name: "Connection failing" }).click();
  await expect(page.getByRole("heading", { name: "No partner matches" })).toBeVisible();
  await page.getByRole("button", { name: "Clear search and filters" }).click();
  await expect(page.getByLabel("Search by name, ID or host")).toHaveValue("");
  await expect(page.getByRole("table")).toBeVisible();
});

test("Back and the navigation's link show the list that the address says", async ({
  page,
  partner,
  staff,
  signIn,
}) => {
  await signIn(await staff("support"));
  await page.goto("/partners");
  const search = page.getByLabel("Search by name, ID or host");
  const line = page.getByRole("link", { name: partner.name, exact: true });
  const nothing = page.getByRole("heading", { name: "No partner matches" });
  await search.fill("x");
  await expect(page).toHaveURL(/\?search=x&/);
  await search.clear();
  // Each key changes the address, and that must not take back the keys after it.
  await search.pressSequentially(partner.name, { delay: 20 });
  await expect(search).toHaveValue(partner.name);
  await line.click();
  await expect(page.getByRole("heading", { name: `View ${partner.name}` })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\?search=/);
  await expect(search).toHaveValue(partner.name);
  await expect(line).toBeVisible();

  await search.fill("nobody-is-called-this");
  await expect(nothing).toBeVisible();
  await page.getByRole("link", { name: "Partners", exact: true }).click();
  await expect(page).toHaveURL(/\/partners$/);
  await expect(search).toHaveValue("");
  await expect(page.getByRole("table")).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\?search=nobody/);
  await expect(search).toHaveValue("nobody-is-called-this");
  await expect(nothing).toBeVisible();
});

test("support comes back to the list of the environment that it was in", async ({
  page,
  partner,
  staff,
  signIn,
}) => {
  await signIn(await staff("support"));
  const environment = page.getByRole("combobox", { name: "Environment" });
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await page.getByRole("link", { name: "Back to Partners" }).click();
  await expect(page).toHaveURL("/partners?environment=sandbox");
  await expect(environment).toHaveValue("sandbox");
  await page.goto(`/partners/${partner.id}/sandbox/webhooks`);
  await openView(page);
  await page.getByRole("button", { name: "End view" }).click();
  await expect(page).toHaveURL("/partners?environment=sandbox");
  await expect(environment).toHaveValue("sandbox");
});

lookTest("the screens of support @look", async ({ page, partner, staff, signIn }) => {
  await partner.service.register({ url, type: "pix_in" });
  await signIn(await staff("support"));
  await page.goto("/partners");
  await expect(page.getByRole("table")).toBeVisible();
  await inspect(page, "partners");
  await page.goto(`/partners?search=nobody-is-called-this`);
  await expect(page.getByRole("heading", { level: 2 })).toBeVisible();
  await inspect(page, "partners-none");
  await page.goto(`/partners/${partner.id}/production/webhooks`);
  await expect(page.getByRole("heading", { level: 1 })).toContainText(partner.name);
  await inspect(page, "support-reason");
  await page.getByRole("textbox").fill("ticket 48211");
  await page.getByRole("textbox").press("Enter");
  await expect(page.getByRole("region", { name: "Pix in" })).toContainText(url);
  await inspect(page, "support-view");
});
