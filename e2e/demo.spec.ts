import { expect, test, type Page } from "@playwright/test";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "@/e2e/fixtures/inspect";
import { directService } from "@/e2e/fixtures/direct-service";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram, type Program } from "@/e2e/installation/program";

/** The demo's key and address, not those of this run's installation. */
const ofThisRun = [
  "AUTH_SECRET",
  "ENCRYPTION_KEYS",
  "PARTNER_API_ENVIRONMENTS",
  "DATABASE_URL",
  "GANCHO_URL",
  "NODE_OPTIONS",
];
const unset = Object.fromEntries(ofThisRun.map((name) => [name, ""]));

const startDemo = (env: Record<string, string>): Promise<Program> =>
  startProgram({
    command: ["npm", "run", "demo"],
    env: { ...unset, ...env },
    ready: /Gancho ready at/,
    logFile: path.join(env["GANCHO_DATA_DIR"] ?? "", "..", "demo.log"),
  });

async function signIn(page: Page, url: string, email: string) {
  await page.goto(`${url}/sign-in`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill("gancho-demo-only");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
}

test("the demo shows two registered cards, really saves, and is the same after kill -9", async ({
  page,
}) => {
  test.setTimeout(180_000);
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const folder = path.join(mkdtempSync(path.join(tmpdir(), "gancho-demo-")), "data");
  const env = {
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    GANCHO_DATA_DIR: folder,
  };
  const url = `http://localhost:${port}`;
  const aurora = { client_id: "aurora", client_secret: "gancho-demo-only-aurora" };
  const service = directService(aurora, `http://127.0.0.1:${sandboxPort}`);

  let demo = await startDemo(env);
  try {
    await signIn(page, url, "admin@aurora.example");
    for (const name of ["Pix in", "Pix out"])
      await expect(page.getByRole("region", { name })).toContainText("Registered");

    await page.getByRole("button", { name: "Check endpoint of Pix in" }).click();
    const panel = page.getByRole("dialog", { name: "Check endpoint" });
    await expect(panel).toContainText("The header is enforced.");
    await expect(panel).toContainText("Sent without Authorization; answered 401");
    await inspect(page, "demo-endpoint-check");
    await panel.getByRole("button", { name: "Close" }).last().click();
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText(
      "The header is enforced.",
    );
    const pixOut = page.getByRole("region", { name: "Pix out" });
    await expect(pixOut).toContainText("Endpoint not checked yet");
    await pixOut.getByRole("button", { name: "More for Pix out" }).click();
    await page.getByRole("menuitem", { name: "Check every day" }).click();
    const question = page.getByRole("alertdialog", { name: /every day/ });
    await inspect(page, "demo-daily-check");
    await question.getByRole("button", { name: "Check every day" }).click();
    await expect(pixOut).toContainText("Gancho checks it every day");
    await expect(async () => {
      await page.reload();
      await expect(pixOut).toContainText(/The header is enforced.*by Gancho.*every day/, {
        timeout: 1_000,
      });
    }).toPass();

    await page.getByRole("button", { name: "Edit Pix in" }).click();
    const sheet = page.getByRole("dialog", { name: "Edit webhook" });
    await sheet.getByLabel("Callback URL").fill(`https://expired.localhost:${port + 1020}/pix`);
    await sheet.getByRole("button", { name: "Check this address" }).click();
    await expect(sheet).toContainText("The certificate has expired.");
    await sheet
      .getByLabel("Callback URL")
      .fill("https://hooks.lojaaurora.example/saved-in-the-demo");
    await sheet.getByRole("button", { name: "Overwrite Pix in" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Saved and confirmed" })).toBeVisible();
    const held = await service.list();
    expect(held[0]?.callback_url).toBe("https://hooks.lojaaurora.example/saved-in-the-demo");

    await page.goto(`${url}/partners/aurora/team`);
    await page.getByRole("button", { name: "Invite a person" }).click();
    await page.getByRole("dialog").getByLabel("Email").fill("nova@aurora.example");
    await page.getByRole("button", { name: "Create invitation" }).click();
    const confirmation = page.getByRole("dialog", { name: "Confirm that it is you" });
    await confirmation.getByRole("textbox", { name: "Password" }).fill("gancho-demo-only");
    await confirmation.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("status").filter({ hasText: "Gancho emailed" })).toBeVisible();
    const printed = readFileSync(path.join(folder, "..", "demo.log"), "utf8");
    await page.goto(/^Mailbox.*\s+(http\S+)$/m.exec(printed)?.[1] ?? "");
    await inspect(page, "demo-mailbox");
    await page.getByRole("link", { name: /invitation#/ }).click();
    await expect(page.getByText("nova@aurora.example").first()).toBeVisible();

    await demo.kill();
    demo = await startDemo(env);
    await page.goto(url);
    await expect(page.getByRole("region", { name: "Pix in" })).toContainText("saved-in-the-demo");
    expect(await service.list()).toEqual(held);
  } finally {
    await demo.stop();
  }
});
