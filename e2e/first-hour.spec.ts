import { expect, test } from "@playwright/test";
import { withDemo } from "@/e2e/fixtures/demo";

test("a developer registers a first endpoint that is proven for both types, in at most six presses after connecting", async ({
  page,
}) => {
  test.setTimeout(300_000);
  await withDemo(async ({ url, receiver, signIn }) => {
    await signIn(page, "admin@tiete.example");
    let presses = 0;
    await page.exposeFunction("pressed", () => void (presses += 1));
    await page.addInitScript(() =>
      document.addEventListener("pointerdown", () => void Reflect.get(window, "pressed")(), true),
    );
    await page.goto(`${url}/partners/tiete/sandbox/connection`);
    // Where somebody who has connected comes from.
    await page.getByRole("link", { name: "Webhooks" }).first().click();
    const path = page.getByRole("region", { name: "Receive Pix notifications" });
    const line = path.getByRole("group", { name: "Environment line" });
    await expect(line).toHaveText(/^PIX_AUTHORIZATION="Bearer [\w-]{43}"$/);
    await path.getByRole("button", { name: "Copy the environment line" }).click();
    const secret = /"(.+)"/.exec((await line.textContent()) ?? "")?.[1] ?? "";
    await path.getByRole("button", { name: "My receiver is ready" }).click();

    const sheet = page.getByRole("dialog", { name: "Register webhook" });
    await expect(sheet.getByLabel("Authorization value")).toHaveValue(secret);
    await expect(sheet.getByRole("radio", { name: "Both" })).toBeChecked();
    await expect(sheet.getByLabel("Callback URL")).toBeFocused();
    await page.keyboard.type(receiver("hooks.tiete", "/pix"));
    await sheet.getByRole("button", { name: "Check this address" }).click();
    await expect(sheet.getByText("Only the message with the value was accepted.")).toHaveCount(2);
    await sheet.getByRole("button", { name: "Register Pix in and Pix out" }).click();

    const proven = path.getByRole("listitem").filter({ hasText: "Proven" });
    for (const type of ["Pix in", "Pix out"])
      await expect(proven).toContainText(`${type}: Only the message with the value was accepted.`);
    await expect(path.getByRole("link", { name: "Do the same in Production" })).toBeVisible();
    expect(presses).toBeLessThanOrEqual(6);
    await expect(line).toHaveCount(0);
  });
});
