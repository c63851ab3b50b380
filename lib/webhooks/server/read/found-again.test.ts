import type { Configuration } from "@/lib/webhooks/model/configuration";
import { compareClocks } from "@/lib/platform/database/clock";
import { db } from "@/lib/platform/database/open";
import { newer } from "@/lib/webhooks/client/query";
import { connectionRefOnTrust, readOnce } from "./read";
import { beforeEach, describe, expect, it, vi } from "vitest";
import {
  heldReading,
  history,
  inWorld,
  listing,
  partner,
  plan,
  read,
  upstream,
} from "@/lib/webhooks/testing/in-world";

inWorld();
beforeEach(async () => {
  await register(1);
  await read();
});

const url = (n: number) => `https://hooks.example.com/${n}`;
const register = (n: number) => partner.register({ url: url(n), type: "pix_in" });
const addressIn = ({ webhooks }: Pick<Configuration, "webhooks">) => webhooks[0]?.callbackUrl;

it.runIf(process.env["TEST_ENGINE"] === "postgres")(
  "a reading is confirmed, and its findings recorded, at the database's time (threat: a machine whose clock is ahead shows a future time)",
  async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 600_000 });
    await compareClocks();
    await register(2);
    const found = await read();
    const [{ at = Infinity } = {}] = await history("changed_outside");
    vi.useRealTimers();
    for (const time of [Date.parse(found.confirmedAt), Date.parse(found.answeredAt), at])
      expect(time).toBeLessThan(Date.now() + 1_000);
  },
);

const ofPartner = () =>
  db()
    .selectFrom("connections")
    .innerJoin("confirmed_configurations as c", "c.connection_id", "connections.id")
    .innerJoin("partner_overviews as o", "o.partner_id", "connections.partner_id")
    .select(["c.connection_id", "c.epoch", "c.requested_at", "o.fault_code", "o.pix_in_host"])
    .where("connections.partner_id", "=", partner.id)
    .executeTakeFirstOrThrow();

describe("a reading that matches the stored state", () => {
  it("is shown as just confirmed and newer than the one before, and stores its time alone", async () => {
    const { requested_at, epoch, ...stored } = await ofPartner();
    const first = await read();
    const second = await read();
    expect(await ofPartner()).toMatchObject({ ...stored, epoch: epoch + 2 });
    expect((await ofPartner()).requested_at).toBeGreaterThan(requested_at ?? Infinity);
    expect([newer(second, first), newer(first, second)]).toEqual([second, second]);
    expect(Date.parse(second.confirmedAt)).toBeGreaterThanOrEqual(Date.parse(first.answeredAt));
    expect(second).toMatchObject({ stale: false, openSaves: [] });
  });

  it("stores that the service answers again (threat: a connection that is wrongly shown as failing)", async () => {
    plan(listing({ status: 403 }));
    const failed = await read();
    expect(failed.stale).toBe(true);
    expect((await ofPartner()).fault_code).not.toBeNull();
    plan();
    const again = await read();
    expect(again.stale).toBe(false);
    expect(newer(again, failed)).toBe(again);
    expect((await ofPartner()).fault_code).toBeNull();
  });
});

it("a slow reading that matches an older state than the stored one is repeated (threat: an older state shown as current)", async () => {
  plan(heldReading);
  const there = await connectionRefOnTrust(partner.id, "sandbox");
  // As another process would, which shares no readings.
  const slow = readOnce(there, { requestId: "slow" });
  await vi.waitFor(() => expect(upstream.counts().list).toBeGreaterThan(0), { interval: 5 });
  await register(2);
  expect(addressIn(await read())).toBe(url(2));
  upstream.release();
  expect(addressIn((await slow).configuration)).toBe(url(2));
});
