import { readAttention as readAttentionWith } from "@/lib/attention/server/attention";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { update } from "@/lib/platform/database/testing/rows";
import { env } from "@/lib/platform/env/env";
import { inWorld, partner, read, replace, save } from "@/lib/webhooks/testing/in-world";
import { expect, it, onTestFinished } from "vitest";

const readAttention = inPartner("webhooks.read", readAttentionWith);
inWorld();

const hour = 3_600_000;
const items = async () => (await readAttention(partner.id)).environments[0]?.items ?? [];
const lookedAgo = (ms: number) =>
  update(
    "confirmed_configurations",
    { looked_at: Date.now() - ms },
    { connection_id: partner.connectionId },
  );

it.each([
  ["an hour", 15 * 60_000, hour],
  ["four reading intervals", hour, 4 * hour],
  ["a day without a reader", null, 24 * hour],
])(
  "is not all well once the last look is older than %s (threat: an outage in which everything stays green)",
  async (_, watchEveryMs, most) => {
    const before = env().watchEveryMs;
    Object.assign(env(), { watchEveryMs });
    onTestFinished(() => void Object.assign(env(), { watchEveryMs: before }));
    await save({ type: "both", authorization: replace("Bearer value") });
    await read();
    expect(await items()).toEqual([]);
    await lookedAgo(most - 60_000);
    expect(await items()).toEqual([]);
    await lookedAgo(most + 60_000);
    expect(await items()).toEqual([{ kind: "old", readAt: expect.any(String) }]);
    await read();
    expect(await items()).toEqual([]);
  },
);
