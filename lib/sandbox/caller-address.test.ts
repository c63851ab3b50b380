import { expect, test } from "vitest";
import { callerAddress } from "./caller-address";
import { parseIpRange, type IpRange } from "./ip-list";

function from(
  socket: string | undefined,
  forwardedFor?: string,
  ...proxies: string[]
): string | undefined {
  const trusted = proxies.flatMap<IpRange>((text) => parseIpRange(text) ?? []);
  return callerAddress(socket, forwardedFor, trusted)?.toString();
}

test("it is the socket's", () => {
  expect(from("192.0.2.1")).toBe("192.0.2.1");
  expect(from("::ffff:192.0.2.1")).toBe("192.0.2.1");
});

test("a caller that claims another address in X-Forwarded-For is not believed", () => {
  expect(from("192.0.2.1", "10.0.0.1")).toBe("192.0.2.1");
  expect(from("192.0.2.1", "10.0.0.1", "198.51.100.0/24")).toBe("192.0.2.1");
});

test("a trusted proxy is believed about who called it", () => {
  expect(from("198.51.100.7", "192.0.2.1", "198.51.100.0/24")).toBe("192.0.2.1");
  expect(from("198.51.100.7", "192.0.2.1, 198.51.100.8", "198.51.100.0/24")).toBe("192.0.2.1");
});

test("a caller behind a trusted proxy cannot put another address before its own", () => {
  expect(from("198.51.100.7", "10.0.0.1, 192.0.2.1", "198.51.100.0/24")).toBe("192.0.2.1");
});

test("a trusted proxy that forwards nothing is the caller", () => {
  expect(from("198.51.100.7", undefined, "198.51.100.7")).toBe("198.51.100.7");
});

test.each(["unknown", "", "192.0.2.1:1234", "10.0.0.1,"])(
  "what a trusted proxy says as %j is no address, and then there is none",
  (forwardedFor) => {
    expect(from("198.51.100.7", forwardedFor, "198.51.100.7")).toBeUndefined();
  },
);

test("a socket that is gone has none", () => {
  expect(from(undefined)).toBeUndefined();
});
