import { expect, it } from "vitest";
import { callerAddress } from "./clean-headers";

it.each([
  [
    "the socket's, where no proxy is trusted (threat: a made-up header)",
    "192.0.2.9",
    "203.0.113.5",
    0,
    "192.0.2.9",
  ],
  [
    "what the one proxy saw, not what the caller wrote before it",
    "10.0.0.1",
    "6.6.6.6, 203.0.113.5",
    1,
    "203.0.113.5",
  ],
  [
    "the socket's, where the header is too short to have passed all proxies",
    "192.0.2.9",
    "203.0.113.5",
    2,
    "192.0.2.9",
  ],
  ["the socket's, where the header is missing", "192.0.2.9", undefined, 1, "192.0.2.9"],
  ["the socket's, where the header is no address", "192.0.2.9", "unknown", 1, "192.0.2.9"],
  ["without its port", "10.0.0.1", "203.0.113.5:4711", 1, "203.0.113.5"],
  ["without brackets and port", "10.0.0.1", "[2001:db8::7]:4711", 1, "2001:db8::7"],
  ["IPv4 where the socket says it in IPv6", "::ffff:192.0.2.9", undefined, 0, "192.0.2.9"],
  ["without its zone", "fe80::1%eth0", undefined, 0, "fe80::1"],
  ["unknown, where the socket is gone", undefined, undefined, 0, null],
])("is %s", (_what, socket, header, hops, address) => {
  expect(callerAddress(socket, header, hops)).toBe(address);
});
