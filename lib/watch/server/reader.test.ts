import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import { startReaderProgram } from "@/lib/watch/testing/start-reader";
import { db } from "@/lib/platform/database/open";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import {
  forgotten,
  history,
  inWorld,
  nextPartner,
  partner,
  plan,
  save,
  upstream,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";
import { switchDaily } from "@/lib/endpoint-check/testing/with-access";
import { startReceivers } from "@/lib/platform/egress/testing/receivers";
import { createTestAuthority } from "@/lib/tools/certificates";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { mkdtempSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { watchedEnvironment } from "./schedules";
import { Watcher } from "./watcher";

inWorld();

const origin = { requestId: "q", clientAddress: null };
const soon = { timeout: 120_000, interval: 100 };

const confirmed = async () =>
  (await db().selectFrom("reading_schedule").select("confirmed_at").execute()).filter(
    ({ confirmed_at }) => confirmed_at !== null,
  ).length;

it.runIf(isThorough)(
  "another instance, once the lease has expired, reads the connections that a killed one (kill -9) was reading, and follows its open save to the end",
  async () => {
    const others = [await world.partner(), await world.partner()];
    plan(forgotten);
    expect(await save()).toMatchObject({ outcome: "accepted" });
    const watched = watchedEnvironment("sandbox");
    if (!watched) throw new Error("the sandbox is not watched");
    await new Watcher(watched).round();
    await update("reading_schedule", { confirmed_at: null, due_at: await readSteadyClock() });
    plan({ kind: "token", action: { ending: "hang", cutAfter: 0 } });

    const kill = startReaderProgram();
    await vi.waitFor(async () => expect(upstream.counts().token).toBeGreaterThan(0), soon);
    startReaderProgram();
    await kill();
    expect(await confirmed()).toBe(0);
    await partner.register({ url, type: "pix_in", authorization: "Bearer typed" });
    plan();
    await vi.waitFor(async () => expect(await confirmed()).toBe(1 + others.length), soon);
    const ends = async () => (await history("save")).map(({ outcome }) => outcome);
    await vi.waitFor(async () => expect(await ends()).toEqual(["accepted", "saved"]), soon);
    expect(await rowOf("leases", { name: "reader" })).toMatchObject({ fence: 2 });
  },
  180_000,
);

it.runIf(isThorough)(
  "another instance checks the endpoints that a killed one (kill -9) was checking, and each has one result",
  async () => {
    const receivers = startReceivers();
    onTestFinished(() => receivers.close());
    const waiting: ServerResponse[] = [];
    let isSilent = true;
    const authority = createTestAuthority();
    const hosts = [1, 2, 3, 4, 5, 6].map((n) => `h${n}.localhost`);
    const certificate = authority.issue({ names: hosts, toDay: 71 });
    const receiver = await receivers.receiver(
      (_got, response) => {
        if (isSilent) waiting.push(response);
        else response.writeHead(401).end();
      },
      { certificate },
    );
    const folder = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
    const trusted = path.join(folder, "authority.pem");
    writeFileSync(trusted, authority.ca);
    // Only the demo's Gancho calls receivers on this machine, at a port that follows from its own.
    const demo = {
      GANCHO_DEMO: "1",
      PORT: String(receiver.port - 1020),
      NODE_EXTRA_CA_CERTS: trusted,
      ALERTS_URL: "http://127.0.0.1:9/nobody",
      ALERTS_SECRET: `whsec_${Buffer.alloc(32, 7).toString("base64")}`,
    };
    for (const host of hosts) {
      await nextPartner();
      signInAs(await partner.person("admin"));
      const at = `https://${host}:${receiver.port}/pix`;
      await partner.registerKnown({ url: at, type: "pix_in", authorization: "Bearer value" });
      await switchDaily(partner.id, "sandbox", { type: "pix_in", on: true }, origin);
    }

    const kill = startReaderProgram(demo);
    await vi.waitFor(() => expect(waiting.length).toBeGreaterThan(0), soon);
    startReaderProgram(demo);
    await kill();
    isSilent = false;
    for (const response of waiting) response.destroy();
    const results = () =>
      db()
        .selectFrom("endpoint_checks")
        .select("alerted_condition")
        .where("alerted_condition", "is not", null)
        .execute();
    await vi.waitFor(async () => expect(await results()).toHaveLength(hosts.length), soon);
    const told = await db()
      .selectFrom("alert_deliveries")
      .select("id")
      .where("kind", "=", "endpoint_result")
      .execute();
    expect(told).toHaveLength(hosts.length);
  },
  180_000,
);
