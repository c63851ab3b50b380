import { readAttention as readAttentionWith } from "@/lib/attention/server/attention";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { update } from "@/lib/platform/database/testing/rows";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import {
  forgotten,
  inWorld,
  partner,
  plan,
  read,
  replace,
  save,
  showing,
  timePasses,
  url,
} from "@/lib/webhooks/testing/in-world";
import { randomUUID } from "node:crypto";
import { beforeEach, expect, it } from "vitest";

const readAttention = inPartner("webhooks.read", readAttentionWith);
const minute = 61_000;
const items = async () => (await readAttention(partner.id)).environments[0]?.items ?? [];
const value = "Bearer two";
const moved = `${url}/new`;

inWorld();
beforeEach(async () => {
  await save({ type: "both", authorization: replace("Bearer one") });
  plan(forgotten);
  const asked = { type: "both", url: moved, authorization: replace(value) } as const;
  expect((await save({ ...asked, operation: randomUUID() })).outcome).toBe("accepted");
  plan();
  expect(await items()).toEqual([]);
  for (const passed of [11 * minute, minute]) {
    await timePasses(passed);
    await followDue();
  }
  await read();
  expect(await items()).toEqual([
    {
      kind: "not_shown",
      types: ["pix_in", "pix_out"],
      at: expect.any(String),
      until: expect.any(String),
    },
  ]);
});

it("names a save that was accepted and not shown, until a later one of the type (threat: all is well, and notifications go to the old address)", async () => {
  await save({ type: "pix_in", url: moved, authorization: replace(value) });
  expect(await items()).toMatchObject([{ kind: "not_shown", types: ["pix_out"] }]);
});

it("names it no more where a look shows exactly it", async () => {
  await partner.register({ url: moved, type: "pix_in", authorization: value });
  await partner.register({ url: moved, type: "pix_out", authorization: value });
  await read();
  expect((await items()).map(({ kind }) => kind)).not.toContain("not_shown");
});

it("names none whose value the list hides, at the address that was asked for", async () => {
  plan(
    showing([
      { type: "pix_in", callback_url: moved, authorization: "********" },
      { type: "pix_out", callback_url: moved, authorization: "********" },
    ]),
  );
  await read();
  expect((await items()).map(({ kind }) => kind)).not.toContain("not_shown");
});

it("names it for seven days", async () => {
  const created_at = Date.now() - 7 * 24 * 3_600_000 - minute;
  await update("changes", { created_at }, { partner_id: partner.id });
  expect(await items()).toEqual([]);
});
