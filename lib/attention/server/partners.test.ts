import { readAttention as readAttentionWith } from "@/lib/attention/server/attention";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { update } from "@/lib/platform/database/testing/rows";
import { recordReading } from "@/lib/watch/server/record-reading";
import { realClock } from "@/lib/watch/server/schedules";
import { planReadings, readInBackground } from "@/lib/webhooks/server/observe/reading";
import { inWorld, partner, read, replace, save, world } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { acknowledgeOutside } from "@/lib/webhooks/testing/with-access";
import { expect, it } from "vitest";
import { listWithAttention } from "./partners";

const readAttention = inPartner("webhooks.read", readAttentionWith);

inWorld();

/** Whether the filter of differences finds this partner. */
async function isFound() {
  const found = { environment: "sandbox", search: partner.id, status: "changed_outside" };
  const { partners } = await listWithAttention(
    await requireOwnAccount(),
    partnerQuerySchema.parse(found),
  );
  return partners.length === 1;
}

it("finds a difference from the look that tells it, a save's too, until somebody acknowledges it (threat: no reading follows)", async () => {
  signInAs(await partner.person("editor"));
  await save({ type: "both", authorization: replace("Bearer one") });
  const ids = [partner.connectionId];
  const planned = (await planReadings("sandbox", ids)).get(partner.connectionId);
  if (!planned) throw new Error("The connection is not planned.");
  await recordReading(await readInBackground(planned, { requestId: "watch" }), realClock);
  const { revision } = await read();
  const theirs = { url: "https://theirs.example/pix", authorization: "Bearer one" };
  await partner.register({ ...theirs, type: "pix_in" });
  const end = await save({ type: "pix_out", authorization: replace("Bearer two"), revision });
  expect(end.outcome).toBe("stale_revision");
  expect(await isFound()).toBe(true);
  const changes = ((await read()).outside ?? []).map(({ id }) => id);
  await acknowledgeOutside(
    partner.id,
    "sandbox",
    { changes },
    { requestId: "r", clientAddress: "192.0.2.1" },
  );
  expect(await isFound()).toBe(false);
});

/** The kinds that the list of partners names of this one to whoever is signed in. */
async function listed() {
  const query = partnerQuerySchema.parse({ environment: "sandbox", search: partner.id });
  const { partners } = await listWithAttention(await requireOwnAccount(), query);
  return partners.map(({ attention }) => attention.map(({ kind }) => kind));
}

it("names waiting API credentials in the list of partners to those alone who may open them, as on the partner's own page", async () => {
  await save({ type: "both" });
  const waiting = {
    kind: "credentials",
    state: "waiting",
    expires_at: Date.now() + 60_000,
  } as const;
  await update("changes", waiting, { partner_id: partner.id });
  for (const [role, kinds] of [
    ["admin", ["waiting"]],
    ["editor", []],
    ["viewer", []],
  ] as const) {
    signInAs(await partner.person(role));
    expect(await listed(), role).toEqual([kinds]);
    const { environments } = await readAttention(partner.id);
    expect(
      environments[0]?.items.map(({ kind }) => kind),
      role,
    ).toEqual(kinds);
  }
  signInAs(await world.staff("support"));
  expect(await listed()).toEqual([["waiting"]]);
});
