import { configure } from "@/lib/platform/database/testing/configure";
import { presentRows } from "@/lib/history/server/read/present-row";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { directService } from "@/e2e/fixtures/direct-service";
import { startSandbox, type Sandbox } from "@/lib/sandbox/start";
import { readAlone } from "@/lib/webhooks/server/answer/read";
import { connectionRefOnTrust } from "@/lib/webhooks/server/observe/reading";
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
  await fillDatabase(environments, clients);
});
afterAll(() => sandbox.close());

/** The sandbox's list for a partner, as any client of the contract would get it. */
async function listed(id: string) {
  const client = clients.get(id);
  return client ? directService(client, sandbox.url).list() : null;
}

it("goes on, and says so, where a client may not register", async () => {
  sandbox.setClients([{ client_id: "mercado", client_secret: "other" }]);
  expect(await registerWebhooks(["sandbox"])).toEqual([
    "aurora: nothing was registered in sandbox (credentials_rejected)",
    "mercado: nothing was registered in sandbox (credentials_rejected)",
  ]);
});

it("registers both types for aurora, pix_in for mercado and nothing for tiete, by saves of their admins", async () => {
  sandbox.setClients([...clients.values()]);
  // Rejections are remembered for a while.
  const { partnerApi } = await import("@/lib/webhooks/server/observe/partner-api");
  for (const { id } of await db().selectFrom("connections").select("id").execute())
    partnerApi().forget(id);
  expect(await registerWebhooks(["sandbox"])).toEqual([]);
  const address = "https://hooks.lojaaurora.localhost:4020/pix";
  const auth_header = expect.any(String) as string;
  expect(await listed("aurora")).toMatchObject([
    { type: "pix_in", callback_url: address, auth_header },
    { type: "pix_out", callback_url: address, auth_header },
  ]);
  const mercado = await listed("mercado");
  expect(mercado).toMatchObject([{ type: "pix_in" }]);
  expect(JSON.stringify(mercado)).not.toContain("auth_header");
  expect(await listed("tiete")).toEqual([]);
  expect(await saves()).toEqual([
    { actor_name: "Marina Castro", outcome: "saved" },
    { actor_name: "Tiago Ferreira", outcome: "saved" },
  ]);
});

it("registers only where nothing is registered: a second start overwrites nothing", async () => {
  expect(await registerWebhooks(["sandbox"])).toEqual([]);
  expect(await saves()).toHaveLength(2);
});

it("says where the addresses lead that a demo on another port registered", async () => {
  const { receiversPort } = env();
  Object.assign(env(), { receiversPort: receiversPort + 100 });
  const notes = await registerWebhooks(["sandbox"]);
  Object.assign(env(), { receiversPort });
  expect(notes).toEqual([
    expect.stringContaining("aurora: its addresses in sandbox lead to port 4020"),
    expect.stringContaining("mercado: its addresses in sandbox lead to port 4020"),
  ]);
});

const read = async (environment: string) =>
  readAlone(await connectionRefOnTrust("aurora", environment), { requestId: "look" });

it("shows a change from outside, a proposal that waits and a connection that fails, in production alone, once", async () => {
  expect(await registerWebhooks(environments)).toEqual([]);
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
    .selectFrom("reading_schedule")
    .innerJoin("connections", "connections.id", "reading_schedule.connection_id")
    .select("partner_id")
    .where("reading_schedule.outside_at", "is not", null)
    .execute();
  expect(outside).toEqual([{ partner_id: "aurora" }]);
  const quiet = await read("sandbox");
  expect(quiet.outside).toBeUndefined();
  expect(quiet.proposals).toEqual([]);

  expect(await seedStory(sandbox.url, clients)).toBe(false);
});

async function saves() {
  const rows = await db()
    .selectFrom("history")
    .selectAll()
    .where("kind", "=", "save_shown")
    .orderBy("partner_id")
    .execute();
  const shown = rows.map(async (row) => (await presentRows(row.partner_id, [row]))[0]);
  return (await Promise.all(shown)).map((item) => ({
    actor_name: item?.actor?.name,
    outcome: item?.outcome,
  }));
}
