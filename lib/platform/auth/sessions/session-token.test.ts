import { newKeys } from "@/lib/platform/database/testing/configure";
import { expect, it, onTestFinished, vi } from "vitest";
import { sessionIdFrom, sessionToken } from "./session-token";

for (const [name, value] of Object.entries(newKeys())) vi.stubEnv(name, value);

it("reads a token in no other form than it was given (threat: a session that counts as many)", async () => {
  const token = await sessionToken("a session");
  expect(await sessionIdFrom(token)).toBe("a session");
  const [header, key, iv, content, tag = ""] = token.split(".");
  const sameBits = tag.slice(0, -1) + String.fromCharCode(tag.charCodeAt(tag.length - 1) + 1);
  for (const other of [`!${tag}`, ` ${tag}`, `${tag}==`, sameBits])
    expect(await sessionIdFrom([header, key, iv, content, other].join(".")), other).toBeNull();
});

it("reads a token where this machine's clock is hours ahead, since the session's row says when it ends (threat: one wrong clock that ends all instances' sessions)", async () => {
  const token = await sessionToken("a session");
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 9 * 3_600_000 });
  expect(await sessionIdFrom(token)).toBe("a session");
});
