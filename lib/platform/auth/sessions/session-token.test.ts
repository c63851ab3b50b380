import { newKeys } from "@/lib/platform/database/testing/configure";
import { expect, it, vi } from "vitest";
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
