import { readAttention as readAttentionWith } from "@/lib/attention/server/attention";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { requireOwnAccount } from "@/lib/platform/access/require";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { update } from "@/lib/platform/database/testing/rows";
import { inWorld, partner, save, world } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { expect, it } from "vitest";
import { listWithAttention } from "./partners";

const readAttention = inPartner("webhooks.read", readAttentionWith);

inWorld();

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
