import { expect, it } from "vitest";
import { hostReach } from "./public-host";

const reachOf = (host: string) => hostReach(new URL(`https://${host}`).hostname);

it.each(
  "aurora.example hooks.lojaaurora.com.br xn--mnchen-3ya.de a_b.example internal.example".split(
    " ",
  ),
)("%s is a public name", (host) => {
  expect(hostReach(host)).toBe("public_name");
});

it.each(
  (
    "8.8.8.8 1.1.1.1 9.255.255.255 11.0.0.0 172.15.255.255 172.32.0.0 223.255.255.255 [2606:4700:4700::1111] " +
    "[2001:4860:4860::8888] [2a00::1] [2001:200::1] [3ffe::1]"
  ).split(" "),
)("%s is a public address", (host) => {
  expect(reachOf(host)).toBe("public_address");
});

it.each(
  (
    "0.0.0.0 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 " +
    "172.31.255.255 192.0.0.8 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1 192.168.1.1 192.175.48.1 198.18.0.1 " +
    "198.19.255.255 198.51.100.7 203.0.113.7 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 " +
    "168.63.129.16 192.80.8.124 161.26.0.6 166.8.0.1 166.11.255.254 199.36.153.4 199.36.153.11"
  ).split(" "),
)("a server inside the network cannot be reached through %s", (host) => {
  expect(hostReach(host)).toBe("private");
});

it.each([
  ["unspecified", "[::]"],
  ["loopback", "[::1]"],
  ["IPv4-mapped", "[::ffff:8.8.8.8]"],
  ["IPv4-compatible", "[::8.8.8.8]"],
  ["NAT64", "[64:ff9b::8.8.8.8]"],
  ["local NAT64", "[64:ff9b:1::1]"],
  ["discard-only", "[100::1]"],
  ["Teredo", "[2001::1]"],
  ["ORCHIDv2", "[2001:20::1]"],
  ["protocol assignments", "[2001:1ff:ffff::1]"],
  ["documentation", "[2001:db8::1]"],
  ["6to4", "[2002:7f00:1::]"],
  ["AS112", "[2620:4f:8000::1]"],
  ["newer documentation", "[3fff::1]"],
  ["end of the newer documentation", "[3fff:fff:ffff::1]"],
  ["segment routing", "[5f00::1]"],
  ["unique local", "[fd00::1]"],
  ["link-local", "[fe80::1]"],
  ["multicast", "[ff02::1]"],
])("a server inside the network cannot be reached through an address that is %s", (_, host) => {
  expect(reachOf(host)).toBe("private");
});

it.each(
  "localhost api.localhost intranet printer.local gateway.internal nas.lan nas.home router.home.arpa x.corp".split(
    " ",
  ),
)("a name that only a local network answers is private: %s", (host) => {
  expect(hostReach(host)).toBe("private");
});

const tooLong = [`${"a".repeat(64)}.example`, `${"a.".repeat(127)}example`];
it.each(["a..b", "a!b.example", "*.example", ...tooLong])(
  "%s is no name that DNS could answer",
  (host) => {
    expect(hostReach(host)).toBe("no_name");
  },
);
