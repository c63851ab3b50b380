import { describe, expect, test } from "vitest";
import { createClientDirectory, parseClientList } from "./clients";

const entry = { client_id: "a", client_secret: "hidden-value" };

function problemsOf(value: unknown): string[] {
  const list = parseClientList(value);
  return list.ok ? [] : list.problems;
}

describe("a list of clients", () => {
  test("an entry may say whether it is active and from where it may call", () => {
    const full = { ...entry, active: false, allowed_ips: ["192.0.2.0/24", "::1"] };
    expect(parseClientList([full, { ...entry, client_id: "b" }])).toEqual({
      ok: true,
      clients: [full, { ...entry, client_id: "b" }],
    });
  });

  test.each([
    [{}, "is not a list of clients"],
    [[3], "entry 1 is not an object"],
    [[entry, { client_id: "b" }], "entry 2: client_secret is missing"],
    [[{ ...entry, client_id: "a\n" }], "entry 1: client_id is empty or has control characters"],
    [[{ ...entry, client_id: "a:b" }], "entry 1: client_id has a colon, which Basic cannot carry"],
    [[{ ...entry, active: "yes" }], "entry 1: active is not a boolean"],
    [
      [{ ...entry, allowed_ips: ["192.0.2.1", "10.0.0/8"] }],
      "entry 1: allowed_ips[1] is not an IP address or CIDR range",
    ],
    // It would open the list to everybody.
    [[{ ...entry, allowed_ip: ["192.0.2.1"] }], 'entry 1: unknown field "allowed_ip"'],
    [[entry, entry], "entry 2: client_id is that of an earlier entry"],
  ])("%j: %s", (value, problem) => {
    expect(problemsOf(value)).toEqual([problem]);
  });

  test("a second secret is accepted beside the first, and only from its own client", () => {
    const clients = createClientDirectory([
      { ...entry, next_secret: "the-next" },
      { client_id: "b", client_secret: "another" },
    ]);
    const matches = (id: string, secret: string) => clients.secretMatches(clients.find(id), secret);
    expect(["hidden-value", "the-next", "another"].map((one) => matches("a", one))).toEqual([
      true,
      true,
      false,
    ]);
    expect(["another", "the-next", ""].map((one) => matches("b", one))).toEqual([
      true,
      false,
      false,
    ]);
    expect(matches("nobody", "the-next")).toBe(false);
  });

  test("all problems are reported at once, and no secret with them", () => {
    const problems = problemsOf([
      { client_id: 1, client_secret: "hidden-value\n", active: 1 },
      { ...entry, client_secret: "hidden-value".repeat(20) },
    ]);
    expect(problems).toHaveLength(4);
    expect(problems.join()).not.toContain("hidden-value");
  });
});

test.each([
  "",
  "*",
  "192.0.02.1",
  "0x7f.0.0.1",
  "192.0.2.0/33",
  "192.0.2.0/08",
  "2001:db8::/129",
  "fe80::1%eth0",
])("%j is not a range (threat: a list that allows other callers than it seems to)", (range) => {
  expect(problemsOf([{ ...entry, allowed_ips: [range] }])).toEqual([
    "entry 1: allowed_ips[0] is not an IP address or CIDR range",
  ]);
});
