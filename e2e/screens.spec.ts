import { inspect, lookTest } from "@/e2e/fixtures/inspect";
import { expect, pressEscape } from "@/e2e/fixtures/test";
import { canary } from "@/e2e/canaries/canary";
import type { Locator, Page } from "@playwright/test";

/** Loads the page until it shows this: within half a second of a reading, it shows that one again. */
const readAgain = (page: Page, shown: Locator): Promise<void> =>
  expect(async () => {
    await page.reload();
    await expect(shown).toBeVisible({ timeout: 1_000 });
  }).toPass();

/** What everybody sees: checked by axe in both themes and on a phone (and pictured with SCREENS=folder). */

lookTest("sign in @look", async ({ page }) => {
  await page.goto("/sign-in");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await inspect(page, "sign-in");
});

lookTest("webhooks, registered @look", async ({ page, partner, visit }) => {
  const url = "https://hooks.lojaaurora.com.br/pix/transfers/v2/notifications?tenant=aurora-main";
  await partner.service.register({
    url: "https://hooks.lojaaurora.com.br/pix/collections",
    type: "pix_in",
    authorization: `Bearer ${canary("authorization", "8f2k")}`,
  });
  await partner.service.register({ url, type: "pix_out" });
  await visit("admin", "sandbox/webhooks");
  await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
  await partner.service.register({ url: `${url}&v=2`, type: "pix_out" });
  await readAgain(page, page.getByRole("region", { name: "Pix out" }).getByText("v=2"));
  await expect(page.getByRole("button", { name: /^(It was us|Fomos nós)$/ })).toBeVisible();
  await inspect(page, "webhooks");
  // In one line, also beside a sidebar and where the words are long.
  for (const width of [768, 1024]) {
    await page.setViewportSize({ width, height: 900 });
    const top = async (element: Locator) => Math.round((await element.boundingBox())?.y ?? 0);
    const button = page.getByRole("button", { name: /^(Change both|Alterar ambos)$/ });
    expect(await top(button), `at ${width}`).toBe(
      await top(page.getByRole("heading", { level: 1 })),
    );
  }
});

lookTest(
  "what was changed outside: acknowledged, or put back @look",
  async ({ page, partner, visit }) => {
    const url = "https://hooks.lojaaurora.com.br/pix/transfers";
    const moved = "https://hooks.lojaaurora-pagamentos.net/pix/transfers";
    const authorization = `Bearer ${canary("authorization", "8f2k")}`;
    await partner.service.register({ url, type: "pix_out", authorization });
    await visit("editor", "sandbox/webhooks");
    await expect(page.getByRole("region", { name: "Pix out" })).toContainText(url);
    await partner.service.register({ url: moved, type: "pix_out", authorization });
    await readAgain(
      page,
      page.getByRole("button", { name: /^(Restore previous|Restaurar anterior)$/ }),
    );
    await inspect(page, "outside");
    await page.getByRole("button", { name: /^(Restore previous|Restaurar anterior)$/ }).click();
    const sheet = page.getByRole("dialog");
    await expect(sheet.getByLabel(/Callback URL|URL de callback/)).toHaveValue(url);
    await expect(sheet.getByRole("radio", { name: /^(Replace it|Substituir)/ })).toBeChecked();
    await expect(sheet.getByText(/Different host|Outro host/)).toHaveCount(0);
    await inspect(page, "restore");
    await page.keyboard.press("Escape");
    await expect(sheet).toBeHidden();

    await page.getByRole("button", { name: /^(It was us|Fomos nós)$/ }).click();
    await expect(
      page.getByRole("status").filter({ hasText: /Change acknowledged|Alteração reconhecida/ }),
    ).toBeVisible();
    await expect(page.getByRole("button", { name: /^(It was us|Fomos nós)$/ })).toBeHidden();
  },
);

lookTest(
  "approvals, where nothing waits, the receiver kit, and a wrong address @look",
  async ({ page, partner, visit, expectedNoise }) => {
    await visit("viewer", "production/approvals");
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(/Approvals|Aprovações/);
    await inspect(page, "approvals");
    await visit("viewer", "sandbox/receiver-kit");
    await page.getByRole("radio", { name: "Java · Spring" }).check();
    await expect(page.getByText("PixController.java", { exact: true })).toBeVisible();
    await inspect(page, "receiver-kit");
    expectedNoise.push(/status of 404/);
    await page.goto(`/partners/${partner.id}/sandbox/nothing-here`);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(
      /^(Nothing here|Nada por aqui)$/,
    );
    await expect(page.getByRole("link", { name: "Webhooks" })).toBeVisible();
    await inspect(page, "not-found");
  },
);

lookTest("webhooks, one type missing, for a viewer @look", async ({ page, partner, visit }) => {
  await partner.service.register({
    url: "https://hooks.lojaaurora.com.br/pix",
    type: "pix_in",
  });
  await visit("viewer", "production/webhooks");
  await expect(page.getByRole("region", { name: "Pix out" })).toBeVisible();
  await inspect(page, "webhooks-viewer");
});

lookTest("webhooks, nothing registered @look", async ({ page, visit }) => {
  await visit("editor", "sandbox/webhooks");
  await expect(page.getByRole("button", { name: "Meu servidor está pronto" })).toBeVisible();
  await inspect(page, "webhooks-empty");
});

lookTest(
  "the check of an endpoint, which is not called, and its card @look",
  async ({ page, partner, visit }) => {
    // Registered by another client: Gancho would not have accepted it.
    await partner.service.register({ url: "https://10.0.0.1/pix", type: "pix_in" });
    await visit("editor", "sandbox/webhooks");
    const card = page.getByRole("region", { name: "Pix in" });
    await card.getByRole("button", { name: /Check endpoint|Testar (o )?endpoint/ }).click();
    const reason = /that is not on the public internet|fora da internet pública/;
    const panel = page.getByRole("dialog");
    await expect(panel).toContainText(reason);
    await inspect(page, "endpoint-check");
    await pressEscape(panel);
    await expect(card).toContainText(/Checked .* by|Testado .* por/);
    await inspect(page, "endpoint-card");
  },
);

lookTest("the edit sheet @look", async ({ page, partner, visit }) => {
  await partner.service.register({
    url: "https://hooks.lojaaurora.com.br/pix",
    authorization: `Bearer ${canary("authorization", "8f2k")}`,
  });
  await visit("admin", "sandbox/webhooks?edit=pix_out");
  const sheet = page.getByRole("dialog");
  await sheet
    .getByLabel(/Callback URL|URL de callback/)
    .fill("https://new.lojaaurora.com.br/pix/v3?src=psp");
  await sheet.getByRole("radio", { name: /Replace it|Substituir/ }).check();
  await sheet
    .getByLabel(/Authorization value|Valor do Authorization/)
    .fill(`Bearer ${canary("authorization", "sample")}`);
  await inspect(page, "sheet");
});
