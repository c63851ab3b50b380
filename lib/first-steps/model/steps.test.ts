import { aWebhook } from "@/lib/webhooks/testing/configurations";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { expect, it } from "vitest";
import { areOpen, stepsOf, type Facts, type StepName } from "./steps";

const nothing: Facts = { configuration: null, problem: "not_connected", checks: [], admins: 1 };

function statesOf(facts: Partial<Facts>) {
  const steps = stepsOf({ ...nothing, problem: null, ...facts });
  return Object.fromEntries(steps.map(({ step, state }) => [step, state])) as Record<
    StepName,
    string
  >;
}

function holding(
  webhooks: ConfiguredWebhook[],
  list: "proven" | "refuted" | "unknown" = "proven",
): Pick<Facts, "configuration"> {
  return { configuration: { webhooks, list } };
}

const enforced = {
  type: "pix_in",
  url: aWebhook("pix_in").callbackUrl,
  fingerprint: aWebhook("pix_in").authorization.fingerprint,
  verdict: "enforced",
  withheld: null,
} as EndpointCheck;

it("are all to do for a partner that has nothing yet", () => {
  const steps = stepsOf(nothing);
  expect(steps.map(({ step }) => step)).toEqual([
    "connect",
    "allow",
    "register",
    "value",
    "check",
    "admin",
  ]);
  expect(steps.every(({ state }) => state === "open")).toBe(true);
});

it("tell credentials that are refused from an address that is not allowed", () => {
  expect(statesOf({ problem: "credentials_rejected" })).toMatchObject({
    connect: "open",
    allow: "open",
  });
  expect(statesOf({ problem: "ip_not_allowed" })).toMatchObject({ connect: "done", allow: "open" });
  expect(statesOf({ problem: "upstream_timeout" })).toMatchObject({
    connect: "done",
    allow: "open",
  });
  expect(statesOf(holding([]))).toMatchObject({ connect: "done", allow: "done", register: "open" });
  // What existed once and no longer does is open again.
  expect(statesOf({ ...holding([]), problem: "ip_not_allowed" }).allow).toBe("open");
});

it("are done when all is there, and open again once it is not", () => {
  const all: Facts = {
    ...holding([aWebhook("pix_in")]),
    configuration: { webhooks: [aWebhook("pix_in")], list: "proven" },
    problem: null,
    checks: [enforced],
    admins: 2,
  };
  expect(areOpen(stepsOf(all))).toBe(false);
  expect(areOpen(stepsOf({ ...all, admins: 1 }))).toBe(true);
  const elsewhere = aWebhook("pix_in", { callbackUrl: "https://other.aurora.example/" });
  expect(statesOf({ ...all, ...holding([elsewhere]) }).check).toBe("open");
});

it("count the check of each address, with what the header's enforcement needs", () => {
  const both = holding([aWebhook("pix_in"), aWebhook("pix_out")]);
  const pixOut = { ...enforced, type: "pix_out" } as const;
  expect(statesOf({ ...both, checks: [enforced] }).check).toBe("open");
  expect(statesOf({ ...both, checks: [enforced, pixOut] }).check).toBe("done");
  const open = { ...pixOut, verdict: "not_enforced" } as const;
  expect(statesOf({ ...both, checks: [enforced, open] }).check).toBe("open");
  // Where a value cannot be sent, nothing more can be found out.
  const unsent = { ...enforced, verdict: "refuses_without" } as const;
  const one = holding([aWebhook("pix_in")]);
  expect(statesOf({ ...one, checks: [{ ...unsent, withheld: "not_proven" }] }).check).toBe("done");
  expect(statesOf({ ...one, checks: [{ ...unsent, withheld: "typed" }] }).check).toBe("open");
});

it("leave the check out where checks are switched off", () => {
  expect(statesOf({ checks: null })).not.toHaveProperty("check");
});

it("say that a value is set only where the service shows it", () => {
  const unset = aWebhook("pix_in", { authorization: { set: false, fingerprint: null } });
  expect(statesOf(holding([unset, aWebhook("pix_out")])).value).toBe("open");
  expect(statesOf(holding([aWebhook("pix_in")])).value).toBe("done");
  expect(statesOf(holding([unset], "unknown")).value).toBe("unknown");
  expect(statesOf(holding([unset], "refuted")).value).toBe("unknown");
  const masked = { set: true, fingerprint: null, hidden: "masked" } as const;
  expect(statesOf(holding([aWebhook("pix_in", { authorization: masked })])).value).toBe("done");
});
