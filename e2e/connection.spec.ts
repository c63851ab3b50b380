import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { createPartner } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";

test("an admin connects an environment, and its webhooks can be seen @main", async ({
  page,
  partner,
  visit,
}) => {
  await partner.disconnect("sandbox");
  await visit("admin", "sandbox/webhooks");
  await page.getByRole("link", { name: "Set up the connection" }).click();
  await expect(page.getByRole("heading", { name: "API connection" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Check connection" })).toBeDisabled();

  await page.getByLabel("Client ID").fill(partner.credentials.client_id);
  await page.getByLabel("Client secret").fill(partner.credentials.client_secret);
  await page.getByRole("button", { name: "Check and connect" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Connected" })).toBeVisible();
  await page.getByRole("link", { name: "See the webhooks" }).click();
  await expect(page.getByRole("button", { name: "My receiver is ready" })).toBeVisible();
});

test("another admin's change shows as the connection, not as an edit of whoever looks at it", async ({
  page,
  partner,
  visit,
  elsewhere,
  baseURL,
}) => {
  const other = (await createPartner()).credentials;
  const there = await elsewhere(await partner.person("admin"));
  async function changeElsewhere(version: number, to: typeof other) {
    const path = `/api/partners/${partner.id}/sandbox/connection`;
    const changed = await there.request.put(path, {
      data: { clientId: to.client_id, clientSecret: to.client_secret, version },
      headers: { origin: baseURL ?? "", "x-requested-by": "gancho" },
    });
    expect(changed.ok()).toBe(true);
    // The page reads the connection again.
    await page.getByRole("button", { name: "Check connection" }).click();
  }
  await visit("admin", "sandbox/connection");
  const id = page.getByLabel("Client ID", { exact: true });
  await expect(id).toHaveValue(partner.credentials.client_id);
  await changeElsewhere(1, other);
  await expect(id).toHaveValue(other.client_id);
  await expect(page.getByText("In use now:")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Discard changes" })).toHaveCount(0);

  // Nothing to save, so nothing is said to be saved.
  await id.press("Enter");
  await id.fill("typed-by-hand");
  await changeElsewhere(2, partner.credentials);
  await expect(page.getByText(`In use now: ${partner.credentials.client_id}`)).toBeVisible();
  await expect(id).toHaveValue("typed-by-hand");
  await expect(page.getByText(/^Saved/)).toHaveCount(0);
});

test("a typed secret stays in view while another admin connects, and is sent", async ({
  page,
  partner,
  visit,
  expectedNoise,
}) => {
  expectedNoise.push(/status of 409/);
  await partner.disconnect("sandbox");
  await visit("admin", "sandbox/connection");
  await page.getByLabel("Client ID").fill(partner.credentials.client_id);
  const secret = page.getByLabel("Client secret");
  await secret.fill(partner.credentials.client_secret);
  await partner.connect("sandbox");
  await page.getByRole("button", { name: "Check and connect" }).click();
  await expect(
    page.getByRole("alert").filter({ hasText: "Somebody changed the connection" }),
  ).toBeVisible();
  await expect(secret).toHaveValue(partner.credentials.client_secret);
  const sent = page.waitForRequest((request) => request.method() === "PUT");
  await page.getByRole("button", { name: "Check and save" }).click();
  expect((await sent).postDataJSON()).toMatchObject({
    clientSecret: partner.credentials.client_secret,
  });
  // The other admin had typed the same.
  await expect(page.getByRole("status").filter({ hasText: "Nothing was replaced" })).toBeVisible();
});

test("a wrong secret is not saved, what was in use stays, and the person may insist", async ({
  page,
  partner,
  visit,
  expectedNoise,
}) => {
  expectedNoise.push(/the server responded with a status of 502/);
  await visit("admin", "sandbox/connection");
  await expect(page.getByLabel("Client secret")).toHaveCount(0);
  await page.getByRole("button", { name: "Replace" }).click();
  await expect(page.getByLabel("Client secret")).toBeFocused();
  await page.getByLabel("Client secret").fill("mistyped");
  await page.getByRole("button", { name: "Check and save" }).click();
  const refusal = page.getByRole("alert").filter({ hasText: "Not saved" });
  await expect(refusal).toContainText("The API user is not active");
  await expect(page.getByLabel("Client secret")).toHaveValue("mistyped");

  await page.getByRole("button", { name: "Check connection" }).click();
  await expect(page.getByText("The connection works")).toBeVisible();

  await refusal.getByRole("button", { name: "Save anyway" }).click();
  const question = page.getByRole("alertdialog");
  await expect(question).toContainText("Sandbox");
  await question.getByRole("button", { name: "Save anyway" }).click();
  await expect(page.getByRole("status").filter({ hasText: "do not work yet" })).toBeVisible();
  await expect(page.getByText("The connection does not work")).toBeVisible();

  await page.getByRole("button", { name: "Replace" }).click();
  await page.getByLabel("Client secret").fill(partner.credentials.client_secret);
  await page.getByRole("button", { name: "Check and save" }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saved." })).toBeVisible();
  await expect(page.getByText("The connection works")).toBeVisible();
});

lookTest("the connection's screen @look", async ({ page, visit }) => {
  await visit("admin", "sandbox/connection");
  await page.getByRole("button", { name: /^(Check connection|Verificar conexão)$/ }).click();
  await expect(page.getByText(/The connection works|A conexão funciona/)).toBeVisible();
  await page.getByRole("button", { name: /^(Replace|Substituir)$/ }).click();
  await inspect(page, "connection");
});

lookTest("an environment without a connection @look", async ({ page, partner, visit }) => {
  await partner.disconnect("production");
  await visit("admin", "production/webhooks");
  const setUp = page.getByRole("link", { name: /^(Set up the|Configurar a) con/ });
  await expect(setUp).toBeVisible();
  await inspect(page, "webhooks-not-connected");
  await setUp.click();
  await expect(page.getByLabel("Client ID")).toBeVisible();
  await inspect(page, "connection-none");
});
