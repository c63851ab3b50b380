import { typeSignIn } from "@/e2e/fixtures/sign-in";
import { expect, test } from "@/e2e/fixtures/test";
import { timeZoneCookie } from "@/lib/platform/i18n/model/time-zone";

test("a wrong password and an unknown person read the same, the e-mail stays, and signing in then leads to no other site (threat: open redirect) @main", async ({
  page,
  partner,
  expectedNoise,
}) => {
  // The browser itself logs the refusal.
  expectedNoise.push(/401 \(Unauthorized\)/);
  const email = await partner.person("admin");
  await page.goto("/sign-in?callbackUrl=https://attacker.example/");
  const reported: (string | null)[] = [];
  for (const who of [email, "nobody@nowhere.example"]) {
    await page.getByLabel("Email").fill(who);
    await page.getByLabel("Password").fill("not the password at all");
    await page.getByRole("button", { name: "Sign in" }).click();
    const alert = page.getByRole("main").getByRole("alert");
    await expect(alert).toBeVisible();
    reported.push(await alert.textContent());
    await expect(page.getByLabel("Email")).toHaveValue(who);
    await page.reload();
  }
  expect(reported[0]).toBe(reported[1]);
  await typeSignIn(page, email);
  await expect(page.getByRole("heading", { name: "Webhooks" })).toBeVisible();
});

test("a deep link leads through sign-in to where it pointed, in the person's time zone @main", async ({
  page,
  partner,
  timezoneId,
}) => {
  const email = await partner.person("editor");
  await page.goto(`/partners/${partner.id}/sandbox/webhooks?register=pix_out`);
  await typeSignIn(page, email);
  await expect(page.getByRole("dialog", { name: "Register webhook" })).toBeVisible();
  const cookies = await page.context().cookies();
  const zone = { name: timeZoneCookie, value: timezoneId };
  expect(cookies).toContainEqual(expect.objectContaining(zone));
});
