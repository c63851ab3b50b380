import { expect, it } from "vitest";
import { judge } from "./judge";

const advisory = {
  title: "Forged headers",
  url: "https://github.com/advisories/GHSA-0",
  severity: "high",
};

function report(severities: Record<string, string>): string {
  return JSON.stringify({
    auditReportVersion: 2,
    vulnerabilities: Object.fromEntries(
      Object.entries(severities).map(([name, severity]) => [
        name,
        { name, severity, range: "<2.0.0", via: ["another", advisory] },
      ]),
    ),
    metadata: { vulnerabilities: {}, dependencies: { prod: 120, dev: 400 } },
  });
}

it("passes where nothing is high or critical, and reports the rest", () => {
  expect(judge(report({}))).toEqual({ outcome: "fine", dependencies: 120, lesser: [] });
  expect(judge(report({ left: "moderate" }))).toMatchObject({
    lesser: [expect.stringContaining("moderate: left <2.0.0")],
  });
});

it.each(["high", "critical"])("names what is %s, and its advisory", (severity) => {
  expect(judge(report({ left: severity, right: "low" }))).toEqual({
    outcome: "found",
    lines: [`${severity}: left <2.0.0\n    Forged headers (https://github.com/advisories/GHSA-0)`],
  });
});

it.each([
  [
    "a registry that has no advisories",
    '{"message":"405 Method Not Allowed","statusCode":405}',
    "405",
  ],
  ["no network", '{"message":"request to https://registry.example failed"}', "failed"],
  ["nothing that npm would print", "npm error", "no report"],
  ["a report of another shape", '{"auditReportVersion":3}', "no report"],
])(
  "never takes %s for a good report (threat: a check that passes because it was not made)",
  (_what, printed, why) => {
    expect(judge(printed)).toEqual({ outcome: "unreachable", why: expect.stringContaining(why) });
  },
);
