import { expect } from "@/e2e/fixtures/test";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { postSignIn } from "@/e2e/fixtures/sign-in";
import { cookieOf } from "@/e2e/fixtures/signed-in";
import { test } from "@/e2e/fixtures/postgres-dashboard";

/** An instance on PostgreSQL when it starts, and while its database is away. */
test.describe.configure({ mode: "serial" });
test.use({ expectedNoise: [/responded with a status of 503|React error #441/] });

test("an instance says once that it is ready, and every probe agrees from the first answer on", async ({
  away,
}) => {
  let isOver = false;
  const answers: string[] = [];
  const probe = async () => {
    while (!isOver) {
      const answer = await fetch(`${away.url}/api/health/ready`).catch(() => null);
      if (answer) answers.push(`${answer.status} ${await answer.text()}`);
    }
  };
  const probing = probe();
  await away.start();
  await expect.poll(() => answers.length).toBeGreaterThan(50);
  isOver = true;
  await probing;
  expect([...new Set(answers)]).toEqual(['200 {"status":"ok"}']);
  expect(away.log().match(/Gancho ready at/g)).toHaveLength(1);
  expect(away.log()).not.toContain('"level":"warn"');
});

test("while its database is silent, a page is a 503 with Retry-After and what to do, also without scripts, and loads once the database is back", async ({
  away: { network, url },
  browser,
  context,
  page,
  signIn,
  staff,
}) => {
  const email = await staff("operator");
  const cookie = await cookieOf(email);
  await signIn(email);
  network.swallow({ newOnes: true });
  const answer = await fetch(`${url}/partners`, { headers: { cookie } });
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  const withoutScripts = await browser.newContext({ javaScriptEnabled: false });
  await withoutScripts.addCookies(await context.cookies());
  const plain = await withoutScripts.newPage();
  await plain.goto(`${url}/partners`);
  // Playwright's search for text leaves this element out.
  expect(await plain.locator("noscript").innerText()).toMatch(
    /The dashboard’s database is not available\. It usually.*O banco de dados do painel está indisponível\./s,
  );
  await withoutScripts.close();
  await page.goto("/partners");
  await expect(
    page.getByRole("heading", { name: "The dashboard’s database is not available" }),
  ).toBeVisible();
  await expect(page.getByRole("main")).toContainText("wait a moment, then try again");
  network.heal();
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Partners", exact: true })).toBeVisible();
});

test("signing in is then answered with 503 and says so, with or without a session's cookie, in both languages", async ({
  away: { network, url },
  context,
  page,
}) => {
  await page.goto("/sign-in");
  network.swallow({ newOnes: true });
  await page.getByLabel("Email").fill("ana@loja.example");
  await page.getByLabel("Password").fill("a river between two hills");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("The dashboard cannot reach its database.");
  await expect(alert).toContainText("What you entered is not the cause");
  await expect(page.getByLabel("Password")).toHaveValue("a river between two hills");
  const answer = await postSignIn(context.request, "ana@loja.example", { origin: url });
  expect([answer.status(), answer.headers()["retry-after"]]).toEqual([503, "5"]);
  expect(await answer.json()).toMatchObject({ code: "database_unavailable" });

  await context.addCookies([{ name: sessionCookieName(false), value: "of-before", url }]);
  await page.goto("/sign-in");
  await page.getByRole("button", { name: "Português" }).click();
  await expect(alert).toContainText("O painel não consegue acessar o banco de dados.");
  network.heal();
});
