import { findOverview } from "@/lib/partners/server/list/overview";
import { db } from "@/lib/platform/database/open";
import {
  heldReading,
  inWorld,
  listing,
  partner,
  plan,
  read,
  replace,
  save,
  showing,
  upstream,
  url,
} from "@/lib/webhooks/testing/in-world";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectionRefOnTrust, planReadings, readInBackground, readNow } from "./reading";
import type * as remoteModule from "./remote-state";
import { fetchRemoteState } from "./remote-state";

vi.mock("./remote-state", { spy: true });
const original = await vi.importActual<typeof remoteModule>("./remote-state");

inWorld();

const moved = `${url}/new`;
const item = (callback_url: string) => ({ type: "pix_in", callback_url });

/** Another instance's reading. */
async function readElsewhere() {
  const planned = await planReadings("sandbox", [partner.connectionId]);
  const reading = planned.get(partner.connectionId);
  if (!reading) throw new Error("nothing to read");
  return readInBackground(reading, { requestId: "another-instance" });
}

/**
 * Each answer of the list is handled only after `then`, which is given how many came before it; seconds later, where
 * that says so.
 */
function afterEachAnswer(then: (earlier: number) => Promise<"late" | undefined>) {
  let answers = 0;
  vi.mocked(fetchRemoteState).mockImplementation(async (...given) => {
    const fetched = await original.fetchRemoteState(...given);
    if (given[2].requestId === "another-instance") return fetched;
    const isLate = (await then(answers++)) === "late";
    return isLate && fetched.ok ? { ...fetched, answeredAt: fetched.answeredAt - 5_000 } : fetched;
  });
  onTestFinished(() => {
    vi.mocked(fetchRemoteState).mockImplementation(original.fetchRemoteState);
  });
}

it("a save whose own last look is older than a stored one is said to be shown as that showed it", async () => {
  await save({ authorization: replace("Bearer one") });
  const { revision } = await read();
  afterEachAnswer(async (earlier) => {
    // A replica lags for the looks after the write, and not for the other instance.
    if (earlier === 0) plan(showing([item(url)]));
    if (earlier < 3) return undefined;
    plan();
    await readElsewhere();
    return "late";
  });
  const end = await save({ url: moved, authorization: replace("Bearer two"), revision });
  expect(end).toMatchObject({
    outcome: "saved",
    results: [{ outcome: "saved" }],
    configuration: { webhooks: [{ callbackUrl: moved }] },
  });
  expect(JSON.stringify(end)).not.toContain("shownUntil");
  expect(await read()).toMatchObject({ webhooks: [{ callbackUrl: moved }] });
});

it("a reading that others overtake each time shows what the latest of them showed", async () => {
  await save();
  afterEachAnswer(async (earlier) => {
    plan(showing([item(`${url}/${earlier}`)]));
    await readElsewhere();
    return "late";
  });
  const ref = await connectionRefOnTrust(partner.id, "sandbox");
  const { last, values } = await readNow(ref, { requestId: "overtaken" });
  expect(last?.remote.webhooks.pix_in).toMatchObject({ callbackUrl: `${url}/2` });
  expect(values).toBeNull();
});

it("a fault that another reading met meanwhile is over once the list was read after it", async () => {
  await save();
  await read();
  plan(heldReading, listing({ status: 503 }, { from: 2 }));
  const reading = read();
  await expect.poll(() => upstream.counts().list).toBe(1);
  expect((await readElsewhere()).fault).not.toBeNull();
  upstream.release();
  expect(await reading).toMatchObject({ stale: false });
  const ref = await connectionRefOnTrust(partner.id, "sandbox");
  expect(await findOverview(db(), ref)).toMatchObject({ fault_code: null });
});
