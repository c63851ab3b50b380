import { db } from "@/lib/platform/database/open";
import { everyMs, minute, startWatchWorld, type WatchWorld } from "@/lib/watch/testing/world";
import { afterAll, beforeAll, expect, it } from "vitest";
import { measureHealth } from "./health";

let watch: WatchWorld;

beforeAll(async () => {
  watch = await startWatchWorld();
  const partner = await watch.world.partner("Fine");
  await partner.register({ url: "https://a.example/" });
});
afterAll(() => watch.world.close());

it("says when a service last answered, without reading each connection's answers", async () => {
  const tables = new Set<string>();
  const watched = db().withPlugin({
    transformQuery: ({ node }) => {
      for (const [, name = ""] of JSON.stringify(node).matchAll(/"name":"(\w+)"/g))
        tables.add(name);
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  expect((await measureHealth(watched)).environments).toMatchObject([
    { name: "sandbox", connections: 1, failing: 0, lastConfirmedAt: null },
  ]);
  await watch.pass(everyMs + minute, watch.watcher(), minute);
  const [{ lastConfirmedAt } = { lastConfirmedAt: null }] = (await measureHealth(watched))
    .environments;
  expect(Date.now() - Date.parse(lastConfirmedAt ?? "")).toBeLessThan(everyMs + 2 * minute);
  expect(tables).toContain("reading_schedule");
  expect(tables).not.toContain("confirmed_configurations");
});
