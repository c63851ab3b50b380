import type { Page } from "@playwright/test";
import { canary } from "@/e2e/canaries/canary";
import { password } from "@/e2e/fixtures/partner";
import { expect, test } from "@/e2e/fixtures/test";

const url = "https://10.0.0.1/pix";
const typed = "https://hooks.loja.example/pix";
const held = `Bearer ${canary("authorization", "translated")}`;

/** Translates the page as browsers do, now and whenever it changes. */
async function translate(page: Page): Promise<void> {
  await page.evaluate(() => {
    const left = "script, style, textarea, option, font, [translate=no]";
    function translateAll(root: Node) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
      const texts: Text[] = [];
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts) {
        if (!text.parentElement || text.parentElement.closest(left)) continue;
        // The text that React knows is no longer in the page.
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.append(text.data);
        outer.append(inner);
        text.replaceWith(outer);
      }
    }
    translateAll(document.body);
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes)
        if (type === "characterData") translateAll(target.parentNode ?? target);
        else addedNodes.forEach((added) => translateAll(added.parentNode ?? added));
    }).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
}

test("a page that the browser translates goes on working and says what is new @main", async ({
  page,
  partner,
  visit,
  refreshUntil,
}) => {
  await partner.service.register({ url, authorization: held });
  await visit("admin", "sandbox/webhooks");
  const card = page.getByRole("region", { name: "Pix in", exact: true });
  await expect(card).toContainText(url);
  // Answers only once the page is alive.
  const read = page.waitForResponse(/\/webhooks$/);
  await page.getByRole("button", { name: "Refresh" }).click();
  await read;
  await translate(page);

  await page.getByRole("button", { name: "Refresh" }).click();
  await expect(page.getByRole("button", { name: "Refresh" })).not.toHaveAttribute("aria-busy");

  await card.getByRole("button", { name: "Check endpoint of Pix in" }).click();
  const panel = page.getByRole("dialog", { name: "Check endpoint" });
  await expect(panel).toContainText("that is not on the public internet");
  await panel.getByRole("button", { name: "Check again" }).click();
  await expect(panel).toContainText("that is not on the public internet");
  await page.keyboard.press("Escape");
  await expect(card.getByRole("group", { name: "Last check" })).toContainText(/Checked .* by/);

  await card.getByRole("button", { name: "Reveal" }).click();
  const revealing = page.getByRole("dialog", { name: "Reveal the Authorization of Pix in" });
  await revealing.getByLabel("Password").fill(password);
  await revealing.getByRole("button", { name: "Reveal" }).click();
  await expect(revealing).toContainText(held);
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Edit Pix in" }).click();
  const sheet = page.getByRole("dialog", { name: "Edit webhook" });
  await sheet.getByLabel("Callback URL").fill(typed);
  await sheet.getByRole("button", { name: "Check this address" }).click();
  await expect(sheet).toContainText("DNS does not resolve");
  await sheet.getByRole("radio", { name: "Both" }).check();
  await sheet.getByRole("radio", { name: "Replace it" }).check();
  await sheet.getByLabel("Authorization value").fill(`${held}2`);
  await sheet.getByRole("button", { name: /^Overwrite/ }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
  await expect(card).toContainText(typed);
  await expect(card).toContainText("asked for it");

  // Another client changes it: what the page said before is gone from it.
  await partner.service.register({ url, type: "pix_in", authorization: held });
  await refreshUntil(page.getByRole("heading", { name: "another address was shown" }));
  await expect(card).not.toContainText(typed);
  await page.getByRole("link", { name: "API connection" }).click();
  await page.getByRole("button", { name: "Check connection" }).click();
  await expect(page.getByText("The connection works")).toBeVisible();
  await expect(page.getByText("Something went wrong")).toHaveCount(0);
});
