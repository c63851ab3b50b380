import { isThorough } from "@/lib/platform/runtime/testing/thorough";
import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { db } from "@/lib/platform/database/open";
import { historyOf } from "@/lib/history/testing/people-entries";
import { startReaderProgram } from "@/lib/watch/testing/start-reader";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { saveConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { startFaultyWorld, type World } from "@/lib/webhooks/testing/world";

let upstream: FaultyUpstream;
let world: World;

beforeAll(async () => {
  ({ world, upstream } = await startFaultyWorld());
});
afterAll(() => world.close());

const readersLease = () =>
  db()
    .selectFrom("leases")
    .select(["fence", "holder"])
    .where("name", "=", "reader")
    .where("expires_at", ">", 0)
    .executeTakeFirst();

const soon = { timeout: 60_000, interval: 100 };

it.runIf(isThorough)(
  "an open save whose reader was killed is followed to its end by another process, without any reader",
  async () => {
    const partner = await world.partner();
    signInAs(await partner.person("admin"));
    const killFirst = startReaderProgram();
    const first = await vi.waitFor(async () => {
      const lease = await readersLease();
      expect(lease).toBeDefined();
      return lease;
    }, soon);

    const answer = { status: 200, body: '{"message":"ok"}' };
    const action = { apply: "never", answer } as const;
    upstream.setPlan({ rules: [{ kind: "register", times: 1, action }] });
    const url = "https://hooks.example.com/pix";
    const authorization = { action: "replace", value: "Bearer typed" } as const;
    const result = await saveConfiguration(
      partner.id,
      "sandbox",
      { type: "pix_in", url, revision: null, authorization },
      { requestId: randomUUID(), clientAddress: null },
    );
    expect(result.outcome).toBe("accepted");
    await killFirst();
    const { value } = authorization;
    await partner.register({ url, type: "pix_in", authorization: value });

    startReaderProgram();
    await vi.waitFor(async () => {
      const save = await db()
        .selectFrom("changes")
        .select(["state", "outcome"])
        .where("partner_id", "=", partner.id)
        .executeTakeFirst();
      expect(save).toEqual({ state: "closed", outcome: "saved" });
    }, soon);
    const second = await readersLease();
    expect(second?.fence).toBe((first?.fence ?? 0) + 1);
    const ends = await historyOf(partner.id, "save");
    expect(ends.map(({ outcome }) => outcome)).toEqual(["accepted", "saved"]);
  },
  120_000,
);
