import { faultyNetwork } from "@/lib/platform/database/testing/faulty-network";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { expect, test } from "@playwright/test";
import { postSignIn } from "@/e2e/fixtures/sign-in";
import { sessionToken } from "@/lib/platform/auth/sessions/session-token";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { mkdtempSync } from "node:fs";
import path from "node:path";
import { startDashboard } from "@/e2e/installation/dashboard";
import { freePort } from "@/e2e/installation/free-port";

/** What an operator of several instances relies on: the probes while the database, or an instance, goes away. */
async function startCopy(env: Record<string, string>) {
  const run = process.env["E2E_FOLDER"] ?? "";
  const folder = mkdtempSync(path.join(run, "copy-"));
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const program = await startDashboard({
    env: {
      PORT: port,
      GANCHO_URL: url,
      GANCHO_DATA_DIR: folder,
      DATABASE_URL: `file:${folder}/gancho.db`,
      ...env,
    },
    run,
    logFile: path.join(folder, "dashboard.log"),
  });
  /** A connection for each, as a probe makes. */
  const probe = async (name: "ready" | "live") => {
    const began = performance.now();
    const answer = await fetch(`${url}/api/health/${name}`, { headers: { connection: "close" } });
    const { status } = (await answer.json()) as { status: string };
    return { code: answer.status, status, ms: performance.now() - began };
  };
  return { program, probe, url };
}

test("a stopping instance reports it for a while, and is alive, before it is gone", async () => {
  const { program, probe } = await startCopy({});
  // The first answer of all may take a busy machine longer than a probe waits for the database.
  await expect.poll(() => probe("ready")).toMatchObject({ code: 200, status: "ok" });
  let isGone = false;
  process.kill(program.pid, "SIGTERM");
  const stopped = program.stop().then(() => (isGone = true));
  await expect.poll(() => probe("ready")).toMatchObject({ code: 503, status: "stopping" });
  expect(await probe("live")).toMatchObject({ code: 200 });
  expect(isGone).toBe(false);
  await stopped;
  await expect(probe("live")).rejects.toThrow();
});

test("signing in while the database is away answers 503 and says so, in both languages", async ({
  browser,
}) => {
  const postgres = await startPostgres();
  const network = await faultyNetwork(postgres.url);
  const { program, probe, url } = await startCopy({ DATABASE_URL: network.url });
  await expect.poll(() => probe("ready")).toMatchObject({ code: 200 });
  const context = await browser.newContext({ baseURL: url, locale: "en-GB" });
  const page = await context.newPage();
  await page.goto("/sign-in");
  network.swallow({ newOnes: true });

  await page.getByLabel("Email").fill("ana@loja.example");
  await page.getByLabel("Password").fill("a river between two hills");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  const alert = page.getByRole("main").getByRole("alert");
  await expect(alert).toContainText("Gancho cannot reach its database.");
  await expect(alert).toContainText("What you entered is not the cause");
  await expect(page.getByLabel("Password")).toHaveValue("a river between two hills");

  const answer = await postSignIn(context.request, "ana@loja.example", { origin: url });
  expect(answer.status()).toBe(503);
  expect(answer.headers()["retry-after"]).toBe("5");
  expect(await answer.json()).toMatchObject({ code: "database_unavailable" });

  // A request with a session's cookie reads the session at once, and gets the same answer.
  const value = await sessionToken("of before");
  await context.addCookies([{ name: sessionCookieName(false), value, url }]);
  await page.goto("/sign-in");
  await expect(alert).toContainText("Gancho cannot reach its database.");
  await page.getByRole("button", { name: "Português" }).click();
  await expect(alert).toContainText("O Gancho não consegue acessar o banco de dados.");

  network.heal();
  await expect.poll(() => probe("ready"), { timeout: 30_000 }).toMatchObject({ code: 200 });
  expect((await postSignIn(context.request, "ana@loja.example", { origin: url })).status()).toBe(
    401,
  );
  await context.close();
  await program.stop();
  await network.stop();
  await postgres.stop();
});
