import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
const about = { origin: "https://gancho.example", requestId: "q" };

/** The reports to this process are its own; each test is a process. */
async function fresh() {
  Reflect.deleteProperty(globalThis, Symbol.for("gancho.policy-violations"));
  return import("./policy-violations");
}

beforeEach(() => warn.mockClear());
afterEach(() => vi.useRealTimers());

const report = (fields: Record<string, string>) => ({
  "csp-report": {
    "effective-directive": "img-src",
    "blocked-uri": "https://attacker.example/stolen?secret=hush",
    "document-uri": "https://gancho.example/invitation?token=hush#hush",
    "source-file": "https://gancho.example/_next/static/a.js?hush",
    disposition: "enforce",
    ...fields,
  },
});

it("logs a kind of violation once, and only the listed parts of a report (threat: a secret, or a made-up line, in the log)", async () => {
  const { recordViolation, violationSchema } = await fresh();
  const sent = violationSchema.parse({
    "csp-report": {
      ...report({})["csp-report"],
      "script-sample": "hush",
      "original-policy": "hush",
      referrer: "https://hush.example",
    },
  });
  recordViolation(sent, about);
  recordViolation(sent, about);
  expect(warn.mock.calls).toEqual([
    [
      {
        requestId: "q",
        directive: "img-src",
        blocked: "https://attacker.example",
        page: "/invitation",
        script: "/_next/static/a.js",
        enforced: true,
      },
      "a browser says that a page's policy was violated",
    ],
  ]);
});

it.each([
  ["data:text/html,hush", "data:"],
  ["trusted-types-sink", "trusted-types-sink"],
  ["hush", null],
  ["", null],
])("tells of what was blocked no more than what it is: %s", async (given, reported) => {
  const { recordViolation } = await fresh();
  recordViolation(report({ "blocked-uri": given, "effective-directive": "IMG\nhush" }), about);
  expect(warn.mock.calls[0]?.[0]).toMatchObject({ directive: null, blocked: reported });
});

it("logs no more than so many kinds, however many are made up (threat: filling the log)", async () => {
  const { recordViolation } = await fresh();
  for (let i = 0; i < 500; i += 1)
    recordViolation(report({ "blocked-uri": `https://h${i}.example` }), about);
  expect(warn).toHaveBeenCalledTimes(101);
});

it("reads no more than so many a minute, from everybody together (threat: a flood of reports)", async () => {
  const { takeReport } = await fresh();
  for (let i = 0; i < 60; i += 1) takeReport(1_000);
  const over = () => takeReport(2_000);
  expect(over).toThrow(ProblemError);
  takeReport(61_000);
});
