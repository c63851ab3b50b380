import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { inWorld, partner, read } from "@/lib/webhooks/testing/in-world";
import { expect, it } from "vitest";
import { loadKnown, momentOf } from "./observed";
import { connectionRefOnTrust } from "./reading";

inWorld();

it("does not time a look before what was sent before it, however late the database's answer is handled", async () => {
  await read();
  const ref = await connectionRefOnTrust(partner.id, "sandbox");
  const loading = loadKnown(db(), ref);
  const busyUntil = performance.now() + 100;
  while (performance.now() < busyUntil);
  const known = await loading;
  const sentAt = await readSteadyClock();
  expect(momentOf(known, performance.now()).steady).toBeGreaterThanOrEqual(sentAt);
});
