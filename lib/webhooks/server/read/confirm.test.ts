import { historyDetail } from "@/lib/history/model/entry";
import { update } from "@/lib/platform/database/testing/rows";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { history, inWorld, partner, read, save } from "@/lib/webhooks/testing/in-world";

inWorld({ as: "editor" });
beforeEach(() => change(0));
afterEach(() => vi.restoreAllMocks());

const url = (n: number) => `https://hooks.example.com/${n}`;

/** Another client registers another address, and Gancho reads it. */
async function change(n: number) {
  await partner.register({ url: url(n), type: "pix_in" });
  return read();
}

/** Reads an hour later, when the gathered changes are recorded. */
async function readLater() {
  const later = Date.now() + 61 * 60_000;
  vi.spyOn(Date, "now").mockImplementation(() => later);
  await read();
}

const entries = async () =>
  (await history()).map(({ kind, detail_json }) => {
    if (kind !== "changed_outside") return { kind };
    const { changes, ...more } = historyDetail.changed_outside.parse(JSON.parse(detail_json));
    const [pixIn] = changes;
    const sides = [pixIn?.before?.callbackUrl, pixIn?.after?.callbackUrl];
    return { kind, changes: changes.length, sides, ...more };
  });

const one = { kind: "changed_outside", changes: 1 };

it("records twenty changes of an hour one by one, and then the others together (threat: flooding the history by flipping a callback)", async () => {
  for (let n = 1; n <= 26; n += 1) await change(n);
  const first = await entries();
  expect(first).toHaveLength(20);
  expect(first[0]).toEqual({ ...one, sides: [url(0), url(1)] });
  const last = { ...one, sides: [url(19), url(20)], isLast: true };
  expect(first.filter((entry) => "isLast" in entry)).toEqual([last]);
  // The viewer still sees it.
  const { outside } = await read();
  expect(outside).toMatchObject([
    { before: { callbackUrl: url(0) }, after: { callbackUrl: url(26) } },
  ]);

  await readLater();
  await read();
  expect((await entries()).slice(20)).toEqual([
    { ...one, sides: [url(20), url(26)], gathered: { since: expect.any(Number), count: 6 } },
  ]);
  await change(27);
  expect((await entries()).at(-1)).toEqual({ ...one, sides: [url(26), url(27)] });
});

it("records gathered changes before the save that overwrites them, and does not record the save as an outside change", async () => {
  for (let n = 1; n <= 22; n += 1) await change(n);
  await save({ url: url(100) });
  await change(101);
  const after = await entries();
  expect(after.slice(20)).toEqual([
    { ...one, sides: [url(20), url(22)], gathered: { since: expect.any(Number), count: 2 } },
    { kind: "save_attempt" },
    { kind: "save" },
  ]);
  await readLater();
  expect((await entries()).at(-1)).toMatchObject({ sides: [url(100), url(101)] });
});

it.each([
  ["reads", read, []],
  ["saves", () => save({ url: url(100) }), [{ kind: "save_attempt" }, { kind: "save" }]],
])(
  "records gathered changes before another client first %s (threat: an attacker's last address lost with the credentials)",
  async (_what, first, after) => {
    for (let n = 1; n <= 22; n += 1) await change(n);
    await update("confirmed_configurations", { client_id: "before" });
    await first();
    expect((await entries()).slice(20)).toEqual([
      { ...one, sides: [url(20), url(22)], gathered: { since: expect.any(Number), count: 2 } },
      ...after,
    ]);
  },
);

it("gathers with them a restored save (threat: a history that ends with an outdated state)", async () => {
  await save({ url: url(100) });
  for (let n = 1; n <= 22; n += 1) await change(n);
  await partner.register({ url: url(100), type: "pix_in", authorization: "Bearer typed" });
  expect(await read()).toMatchObject({
    webhooks: [{ callbackUrl: url(100), lastChange: { by: "The editor" } }],
  });
  expect(await entries()).toHaveLength(22);
  await readLater();
  expect((await entries()).slice(22)).toMatchObject([
    { kind: "changed_outside", sides: [url(20), url(100)], gathered: { count: 3 } },
  ]);
});
