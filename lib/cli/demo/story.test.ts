import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { startSandbox, type Sandbox } from "@/lib/sandbox/start";
import { connectionRefOnTrust, readOnce } from "@/lib/webhooks/server/read/read";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demoStory } from "./data";
import { fillDatabase, sandboxClients } from "./fill-database";
import { registerWebhooks } from "./register-webhooks";
import { seedStory } from "./story";

const clients = sandboxClients(null);
const environments = ["sandbox", "production"];

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({});
  await configure({
    PARTNER_API_ENVIRONMENTS: environments.map((name) => `${name}=${sandbox.url}`).join(),
  });
  await fillDatabase(db(), environments, clients);
  await registerWebhooks(environments);
});
afterAll(async () => {
  await db().destroy();
  await sandbox.close();
});

const read = async (environment: string) =>
  (await readOnce(await connectionRefOnTrust("aurora", environment), { requestId: "look" }))
    .configuration;

it("shows a change from outside, a proposal that waits and a connection that fails, in production alone, once", async () => {
  expect(await seedStory(sandbox.url, clients)).toBe(true);
  const reported = await read("production");
  const after = { callbackUrl: demoStory.outside };
  expect(reported.outside).toMatchObject([{ type: "pix_out", after }]);
  const [change] = reported.outside ?? [];
  expect(change?.after?.fingerprint).toBe(change?.before?.fingerprint);
  expect(reported.proposals).toMatchObject([
    { type: "pix_in", url: demoStory.proposed, outdated: false, by: { name: "Rafael Nunes" } },
  ]);
  const failing = await db()
    .selectFrom("partner_overviews")
    .select(["partner_id", "environment", "fault_code"])
    .where("fault_code", "is not", null)
    .execute();
  expect(failing).toEqual([
    { partner_id: "tiete", environment: "production", fault_code: "credentials_rejected" },
  ]);
  const outside = await db()
    .selectFrom("watch_turns")
    .innerJoin("connections", "connections.id", "watch_turns.connection_id")
    .select("partner_id")
    .where("watch_turns.outside_at", "is not", null)
    .execute();
  expect(outside).toEqual([{ partner_id: "aurora" }]);
  const quiet = await read("sandbox");
  expect(quiet.outside).toBeUndefined();
  expect(quiet.proposals).toEqual([]);

  expect(await seedStory(sandbox.url, clients)).toBe(false);
});
