import * as z from "zod";

/** What `npm audit --json` prints where the registry answered, and where it did not. */
const reportSchema = z.object({
  vulnerabilities: z.record(
    z.string(),
    z.object({ severity: z.string(), range: z.string(), via: z.array(z.unknown()) }),
  ),
  metadata: z.object({ dependencies: z.object({ prod: z.number() }) }),
});
const errorSchema = z.object({ message: z.string() });
const advisory = z.object({ title: z.string(), url: z.string() });

export type Verdict =
  | { outcome: "fine"; dependencies: number; lesser: string[] }
  | { outcome: "found"; lines: string[] }
  | { outcome: "unreachable"; why: string };

const grave = new Set(["high", "critical"]);

/** `printed`: what npm printed, whatever it ended with. Lines name the package, its versions and the advisories. */
export function judge(printed: string): Verdict {
  const report = parsed(printed);
  const result = reportSchema.safeParse(report);
  if (!result.success) {
    const why = errorSchema.safeParse(report).data?.message ?? "npm printed no report";
    return { outcome: "unreachable", why };
  }
  const { vulnerabilities, metadata } = result.data;
  const found = Object.entries(vulnerabilities).map(([name, { severity, range, via }]) => ({
    isGrave: grave.has(severity),
    line: `${severity}: ${name} ${range}${via.map(titleOf).join("")}`,
  }));
  const lines = (isGrave: boolean) =>
    found.filter((one) => one.isGrave === isGrave).map(({ line }) => line);
  return lines(true).length > 0
    ? { outcome: "found", lines: lines(true) }
    : { outcome: "fine", dependencies: metadata.dependencies.prod, lesser: lines(false) };
}

function parsed(printed: string): unknown {
  try {
    return JSON.parse(printed);
  } catch {
    return null;
  }
}

/** A transitive vulnerability has the name of its package in this place. */
function titleOf(via: unknown): string {
  const { data } = advisory.safeParse(via);
  return data ? `\n    ${data.title} (${data.url})` : "";
}
