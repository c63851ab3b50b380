import { expect, test, type Page } from "@playwright/test";
import { readFileSync } from "node:fs";
import { inspect } from "@/e2e/fixtures/inspect";
import { placeForDemo } from "@/e2e/fixtures/demo";
import { directService } from "@/e2e/fixtures/direct-service";

/** As many as somebody is asked to read before they know what is wrong, and what they can do. */
const fewWords = 140;

async function expectFewWords(page: Page): Promise<void> {
  await expect(page.getByRole("link", { name: "Open in Approvals" })).toBeVisible();
  const words = await page.getByRole("main").evaluate(wordsSeen);
  expect(words.length, words.join(" ")).toBeLessThan(fewWords);
}

/** What has a letter or a digit, without what is for screen readers alone. In the browser. */
function wordsSeen(main: HTMLElement): string[] {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".sr-only { display: none }");
  document.adoptedStyleSheets.push(sheet);
  const words = main.innerText.split(/\s+/).filter((word) => /[\p{L}\d]/u.test(word));
  document.adoptedStyleSheets.pop();
  return words;
}

test("the demo shows two registered cards, really saves, and is the same after kill -9", async ({
  page,
  browser,
}) => {
  test.setTimeout(360_000);
  const { url, sandboxUrl, logFile, receiver, signIn, start } = await placeForDemo();
  const aurora = { client_id: "aurora", client_secret: "gancho-demo-only-aurora" };
  const service = directService(aurora, sandboxUrl);

  let demo = await start();
  try {
    await signIn(page, "admin@aurora.example");
    // Where an address was changed, and not where all is well.
    await expect(page).toHaveURL(/aurora\/production\/webhooks$/);
    await expectFewWords(page);
    const viewer = await browser.newPage({ locale: "en-GB" });
    await signIn(viewer, "viewer@aurora.example");
    await expectFewWords(viewer);
    await viewer.close();
    await page.getByRole("link", { name: "Sandbox all well" }).click();
    await expect(page).toHaveURL(/aurora\/sandbox\/webhooks$/);
    for (const name of ["Pix in", "Pix out"])
      await expect(page.getByRole("region", { name })).toContainText("hooks.lojaaurora");

    await page.getByRole("button", { name: "Check endpoint of Pix in" }).click();
    const panel = page.getByRole("dialog", { name: "Check endpoint" });
    await expect(panel).toContainText("Only the message with the value was accepted.");
    await expect(panel).toContainText("The payment service calls from other addresses");
    await expect(panel).toContainText("Sent without Authorization; answered 401");
    await inspect(page, "demo-endpoint-check");
    await panel.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText(
      "Only the message with the value was accepted.",
    );
    const pixOut = page.getByRole("region", { name: "Pix out" });
    await expect(pixOut).toContainText("Endpoint not checked yet");
    await pixOut.getByRole("button", { name: "More for Pix out" }).click();
    await page.getByRole("menuitem", { name: "Check every day" }).click();
    const question = page.getByRole("alertdialog", { name: /every day/ });
    await inspect(page, "demo-daily-check");
    await question.getByRole("button", { name: "Check every day" }).click();
    // For five minutes, the invitation below included.
    const confirmation = page.getByRole("dialog", { name: "Confirm that it is you" });
    await confirmation.getByRole("textbox", { name: "Password" }).fill("gancho-demo-only");
    await confirmation.getByRole("button", { name: "Continue" }).click();
    await expect(pixOut).toContainText("The dashboard checks it every day");
    await expect(async () => {
      await page.reload();
      await expect(pixOut).toContainText(/Only the message with the value.*Checked .*every day/, {
        timeout: 1_000,
      });
    }).toPass();

    await page.getByRole("button", { name: "Edit Pix in" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit webhook" });
    await sheet.getByLabel("Callback URL").fill(receiver("expired", "/pix"));
    await sheet.getByRole("button", { name: "Check this address" }).click();
    await expect(sheet).toContainText("The certificate has expired.");
    // Of both types: one check each.
    await sheet.getByRole("radio", { name: "Both" }).check();
    await sheet.getByLabel("Callback URL").fill(receiver("hooks", "/fails"));
    await sheet.getByRole("button", { name: "Check this address" }).click();
    for (const name of ["Pix in", "Pix out"])
      await expect(sheet.getByRole("heading", { name, exact: true })).toBeVisible();
    await expect(sheet.getByText("It answered with an error.")).toHaveCount(2);
    await inspect(page, "demo-check-of-both");
    await sheet.getByRole("radio", { name: "Pix in" }).check();
    await sheet
      .getByLabel("Callback URL")
      .fill("https://hooks.lojaaurora.example/saved-in-the-demo");
    await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
    await expect(page.getByRole("status").filter({ hasText: /^Saved/ })).toBeVisible();
    const held = await service.list();
    expect(held[0]?.callback_url).toBe("https://hooks.lojaaurora.example/saved-in-the-demo");

    await page.goto(`${url}/partners/aurora/team`);
    await page.getByRole("button", { name: "Invite a person" }).click();
    await page.getByRole("dialog").getByLabel("Email").fill("nova@aurora.example");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await expect(
      page.getByRole("status").filter({ hasText: "The dashboard emailed" }),
    ).toBeVisible();
    const printed = readFileSync(logFile, "utf8");
    // For a person: sentences, and no line of the log between them.
    expect(printed).not.toMatch(/^\{/m);
    await page.goto(/^Mailbox.*\s+(http\S+)$/m.exec(printed)?.[1] ?? "");
    await inspect(page, "demo-mailbox");
    await page.getByRole("link", { name: /invitation#/ }).click();
    await expect(page.getByText("nova@aurora.example").first()).toBeVisible();

    await demo.kill();
    demo = await start();
    await page.goto(`${url}/partners/aurora/sandbox/webhooks`);
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText("saved-in-the-demo");
    expect(await service.list()).toEqual(held);
  } finally {
    await demo.stop();
  }
});

test("the demo with a brand is the same under an invented name, and the groups of its provider decide", async ({
  page,
}) => {
  test.setTimeout(360_000);
  const { url, start } = await placeForDemo("--brand");
  const demo = await start();
  try {
    await page.goto(`${url}/sign-in?partner=aurora&environment=production`);
    await page.getByRole("button", { name: "Marina Castro" }).click();
    await expect(page).toHaveURL(/aurora\/production\/webhooks$/);
    await expect(page).toHaveTitle(/Atlas Pix$/);
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText("hooks.lojaaurora");
    await page.goto(`${url}/partners/aurora/team`);
    await expect(page.getByText("Atlas ID decides who belongs to this team")).toBeVisible();
    await expect(page.getByRole("main")).not.toContainText(/gancho/i);

    await page.context().clearCookies();
    await page.goto(`${url}/sign-in`);
    await page.waitForLoadState();
    await page.getByRole("button", { name: "Continue with Atlas ID" }).click();
    await page.getByRole("button", { name: "Otávio Reis" }).click();
    await expect(page.getByRole("heading", { name: "Partners" })).toBeVisible();
  } finally {
    await demo.stop();
  }
});
