import { aConfiguration } from "@/lib/webhooks/testing/configurations";
import { expect, it } from "vitest";
import type { OutsideChange } from "./configuration";
import { exposureOf, leadsBack } from "./exposure";

const own = "https://hooks.aurora.example/pix";
const foreign = "https://foreign.example/pix";

function changed(
  before: OutsideChange["before"],
  after: OutsideChange["after"],
  type: OutsideChange["type"] = "pix_in",
) {
  const at = "2026-01-31T12:00:00.000Z";
  return aConfiguration([], { outside: [{ id: type, type, before, after, since: at, at }] });
}

const version = (callbackUrl: string, fingerprint: string | null = "9c41e07d") => ({
  callbackUrl,
  fingerprint,
});

it.each([
  ["went to another server", version(own), version(foreign), ["foreign.example"]],
  [
    "is shown masked, and went",
    { ...version(own, null), hidden: "masked" },
    version(foreign),
    ["foreign.example"],
  ],
  ["came back after a while elsewhere", version(own), version(own), []],
  ["stayed with the server", version(own), version(`${own}/other`), null],
  ["was replaced at the same address", version(own), version(own, "ffffffff"), null],
  ["was not shown", { ...version(own, null), hidden: "absent" }, version(foreign), null],
] as const)("says who may know a value that %s", (_what, before, after, hosts) => {
  const exposure = exposureOf(changed(before, after), ["pix_in"]);
  expect(exposure).toEqual(hosts && { hosts });
  expect(exposureOf(changed(before, after), ["pix_out"])).toBeNull();
});

it("counts a value that Gancho had sent and the service never showed", () => {
  const { outside } = changed({ ...version(own, null), hidden: "absent" }, version(foreign, null));
  const unseen = outside?.map((change) => ({ ...change, hadValue: true as const })) ?? [];
  expect(exposureOf({ outside: unseen }, ["pix_in"])).toEqual({ hosts: ["foreign.example"] });
});

it.each([
  ["another server", `${foreign}/then`, ["third.example", "foreign.example"]],
  ["the server of before", own, ["third.example"]],
])("names a server to which it went before it went to %s", (_where, last, hosts) => {
  const { outside } = changed(version(own), version(last));
  const moved = outside?.map((change) => ({ ...change, earlier: ["https://third.example/pix"] }));
  expect(exposureOf({ outside: moved }, ["pix_in"])).toEqual({ hosts });
});

it("does not count the earlier receiver as another one", () => {
  const configuration = changed(version(own), version(foreign));
  expect(leadsBack(configuration, "pix_in", `${own}/elsewhere`)).toBe(true);
  expect(leadsBack(configuration, "pix_in", "https://third.example/pix")).toBe(false);
  expect(leadsBack(configuration, "pix_out", own)).toBe(false);
  expect(leadsBack(aConfiguration([]), "pix_in", own)).toBe(false);
});
