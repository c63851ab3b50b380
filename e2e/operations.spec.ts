import { expect, test } from "@playwright/test";
import { anotherDashboard } from "@/e2e/installation/dashboard";

test("a stopping instance reports it for a while, and is alive, before it is gone", async () => {
  const { url, folder, start } = await anotherDashboard();
  const database = `file:${folder}/gancho.db`;
  const program = await start({ GANCHO_DATA_DIR: folder, DATABASE_URL: database });
  /** A connection for each, as a probe makes. */
  const probe = async (name: "ready" | "live") => {
    const answer = await fetch(`${url}/api/health/${name}`, { headers: { connection: "close" } });
    const { status } = (await answer.json()) as { status: string };
    return { code: answer.status, status };
  };
  // The first answer of all may take a busy machine longer than a probe waits for the database.
  await expect.poll(() => probe("ready")).toMatchObject({ code: 200, status: "ok" });
  process.kill(program.pid, "SIGTERM");
  await expect.poll(() => probe("ready")).toMatchObject({ code: 503, status: "stopping" });
  expect(await probe("live")).toMatchObject({ code: 200 });
  await program.stop();
  await expect(probe("live")).rejects.toThrow();
});
