import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { expect, test } from "@/e2e/fixtures/test";

test("support sees the state of an environment, and finds what needs attention @main", async ({
  page,
  partner,
  signIn,
  staff,
  visit,
}) => {
  // Its other type is missing, once somebody has read it.
  await partner.service.register({ url: "https://hooks.loja.example/pix", type: "pix_in" });
  await visit("viewer", "sandbox/webhooks");
  await expect(page.getByRole("region", { name: "Pix in" })).toBeVisible();

  await signIn(await staff("support"));
  await page.goto("/partners");
  await page.getByRole("link", { name: "Overview" }).click();
  await expect(page.getByRole("heading", { name: "Overview", level: 1 })).toBeVisible();
  await page.getByRole("combobox", { name: "Environment" }).selectOption("sandbox");
  await expect(page).toHaveURL(/environment=sandbox/);
  await expect(page).toHaveTitle("Overview · Sandbox · Gancho");
  await expect(
    page.getByText(/API connections? in Sandbox.*Updated (just now|.* ago)\./),
  ).toBeVisible();
  await expect(page.getByRole("region", { name: /Payment service/ })).toBeVisible();
  await page.getByText("Show the hours as a table").click();
  const hours = page.getByRole("table", { name: /Readings and response times/ });
  await expect(hours.getByRole("rowheader").first()).toHaveText(/\d\d:00 (BRT|GMT-3)$/);
  await page.getByRole("link", { name: "Show all in Partners" }).click();
  await expect(page).toHaveURL(/partners\?sort=status&environment=sandbox/);
});

lookTest("the overview @look", async ({ page, signIn, staff }) => {
  await signIn(await staff("operator"));
  await page.goto("/overview?environment=sandbox");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.getByText(/Show the hours|Mostrar as horas/).click();
  await inspect(page, "overview");
});

test("the list's address changes only when a person filters it: any other change would abort a navigation", async ({
  page,
  signIn,
  staff,
}) => {
  await signIn(await staff("support"));
  const addresses = new Set<string>();
  page.on("framenavigated", (frame) => {
    const { pathname, search } = new URL(frame.url());
    addresses.add(pathname + search);
  });
  await page.goto("/partners");
  await page.getByRole("button", { name: "Different from before" }).click();
  await expect(page).toHaveURL(/status=changed_outside/);
  expect([...addresses]).toEqual([
    "/partners",
    "/partners?status=changed_outside&environment=production",
  ]);
});
