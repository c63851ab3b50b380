import { update } from "@/lib/platform/database/testing/rows";
import { readTimings } from "@/lib/platform/runtime/timings";
import { admin, author, inFourEyesWorld, moved } from "@/lib/webhooks/testing/four-eyes";
import {
  as,
  ask,
  heldReading,
  keep,
  partner,
  plan,
  read,
  save,
  upstream,
} from "@/lib/webhooks/testing/in-world";
import { readConfiguration } from "@/lib/webhooks/testing/with-access";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";

/* What begins to wait for a second person while the service is being read. */

// Each of these readings is its own.
Object.assign(readTimings, { betweenReadingsMs: 0 });

inFourEyesWorld("pix-eu");

/** Begins, and waits for the service until `upstream.release`. */
async function heldUp<T>(work: () => Promise<T>): Promise<Promise<T>[]> {
  plan(heldReading);
  const before = upstream.counts().list;
  const working = work();
  await expect.poll(() => upstream.counts().list).toBe(before + 1);
  return [working];
}

const reading = () => readConfiguration(partner.id, partner.environment, { requestId: "r" });

it("is shown by a reading that began before it", async () => {
  const { revision } = await as(author, read);
  const [shown] = await heldUp(() => as(admin, reading));
  const end = await as(author, () => save({ url: moved, authorization: keep, revision }));
  expect(end).toMatchObject({ outcome: "waiting" });
  upstream.release();
  expect((await shown)?.proposals).toHaveLength(1);
});

it("is shown with the answer that says that it waits", async () => {
  const { revision } = await as(author, read);
  const operation = randomUUID();
  const [told] = await heldUp(() => as(author, () => ask(operation)));
  await as(author, () => save({ url: moved, authorization: keep, revision, operation }));
  upstream.release();
  expect(await told).toMatchObject({
    outcome: "waiting",
    proposal: operation,
    configuration: { proposals: [{ id: operation }] },
  });
});

it("includes every change, once four-eyes approval was switched on", async () => {
  await update("partners", { four_eyes_since: null }, { id: partner.id });
  await as(author, read);
  const [shown] = await heldUp(() => as(author, reading));
  await update("partners", { four_eyes_since: 1 }, { id: partner.id });
  upstream.release();
  expect((await shown)?.fourEyes).toBe(true);
});
