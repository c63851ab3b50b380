import { describe, expect, it } from "vitest";
import { Secret } from "@/lib/platform/runtime/secret";
import { memoryTokenStore, type TokenEntry } from "./token-store";

const key = (connectionId: string, version = 1) => ({
  connectionId,
  partnerId: "p",
  version,
  service: "s",
});
const token = (issue: string): TokenEntry => ({ kind: "token", token: new Secret(issue), issue });

describe("the store", () => {
  it("keeps no more connections than it may, and lets go of the least recently used", async () => {
    const store = memoryTokenStore({ clock: () => 0, atMost: 2 });
    await store.set(key("a"), token("1"), 1_000);
    await store.set(key("b"), token("2"), 1_000);
    await store.get(key("a"));
    await store.set(key("c"), token("3"), 1_000);
    expect(await store.get(key("b"))).toBeNull();
    expect(await store.get(key("a"))).not.toBeNull();
    expect(await store.get(key("c"))).not.toBeNull();
  });

  it("drops a token only if it is still the one that was refused", async () => {
    const store = memoryTokenStore({ clock: () => 0, atMost: 2 });
    await store.set(key("a"), token("new"), 1_000);
    await store.drop(key("a"), "old");
    expect(await store.get(key("a"))).not.toBeNull();
    await store.drop(key("a"), "new");
    expect(await store.get(key("a"))).toBeNull();
  });

  it("does not let a request of older credentials undo an edit", async () => {
    const store = memoryTokenStore({ clock: () => 0, atMost: 2 });
    await store.set(key("a", 2), token("new"), 1_000);
    await store.set(key("a", 1), token("old"), 1_000);
    expect(await store.get(key("a", 2))).toMatchObject({ entry: { issue: "new" } });
    expect(await store.get(key("a", 1))).toBeNull();
  });
});
