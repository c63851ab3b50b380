import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  countCall,
  countEntry,
  countLogLine,
  countRequest,
  figuresFrom,
  metricLabels,
  renderMetrics,
} from "./metrics";

const render = async () => (await renderMetrics()).text;

it("counts what is reported, with labels of our own words", async () => {
  const route = "/partners/[partner]/team";
  countRequest({ method: "GET", route, status: "200", ms: 30 });
  countRequest({ method: "GET", route, status: "200", ms: 3_000 });
  const call = { environment: "live", call: "list", purpose: "watch" } as const;
  countCall({ ...call, result: "upstream_timeout", ms: 10_000 });
  countEntry({ kind: "save_shown", outcome: "saved", environment: "live" });
  countEntry({ kind: "password_changed", outcome: null, environment: null });
  countLogLine("error");
  const text = await render();
  for (const line of [
    `gancho_http_requests_total{method="GET",route="${route}",status="200"} 2`,
    `gancho_http_request_duration_seconds_bucket{le="0.05",route="${route}"} 1`,
    'gancho_payment_service_requests_total{environment="live",call="list",purpose="watch",result="upstream_timeout"} 1',
    'gancho_saves_total{environment="live",outcome="saved"} 1',
    'gancho_history_entries_total{kind="password_changed",outcome=""} 1',
    'gancho_log_lines_total{level="error"} 1',
  ])
    expect(text).toContain(`${line}\n`);
  expect(text).toContain("nodejs_eventloop_lag_p99_seconds ");
});

it("leaves out a group of figures that cannot be read, and says so", async () => {
  let isAway = false;
  const read = () => {
    if (isAway) throw new Error("no database");
    return [{ name: "alerts", labels: { state: "waiting" }, value: 3 } as const];
  };
  figuresFrom("outbox", read);
  figuresFrom("silent", () => new Promise(() => undefined));
  const text = await render();
  expect(text).toContain('gancho_alerts{state="waiting"} 3');
  expect(text).toContain('gancho_figures_up{group="outbox"} 1');
  expect(text).toContain('gancho_figures_up{group="silent"} 0');
  isAway = true;
  figuresFrom("silent", () => []);
  expect(await render()).toContain('gancho_figures_up{group="outbox"} 0');
  expect(await render()).not.toContain("gancho_alerts{");
});

const file = (name: string) =>
  readFileSync(new URL(`../../../deploy/${name}`, import.meta.url), "utf8");
/** Those of all queries, with line breaks and quotes as sent. */
const ofDashboard = [
  ...file("grafana/gancho.json").matchAll(/"(?:expr|query)": ("(?:[^"\\]|\\.)*")/g),
].map(([, text = '""']) => String(JSON.parse(text)));
const ofRules = file("prometheus/alerts.yml")
  .split(/- alert: /)
  .slice(1)
  .map((rule) => /expr: ([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? "no expression");

it.each([
  ["deploy/grafana/gancho.json", ofDashboard, 30],
  ["deploy/prometheus/alerts.yml", ofRules, 15],
])("has every metric, with every label, that %s queries", async (_file, expressions, least) => {
  const known = await metricLabels();
  expect(expressions.length).toBeGreaterThanOrEqual(least);
  for (const expression of expressions) {
    for (const [, name = "", selector = ""] of expression.matchAll(
      /\b((?:gancho|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g,
    )) {
      const labels = known.get(name) ?? known.get(name.replace(/_(?:bucket|sum|count)$/, ""));
      expect(labels, `${name} in ${expression}`).toBeDefined();
      for (const [, label = ""] of selector.matchAll(/([a-z_]+)\s*[=!]~?/g))
        expect([...(labels ?? []), "job", "instance"], expression).toContain(label);
    }
    const asked = [...expression.matchAll(/\bgancho_[a-z0-9_]+/g)].map(([name]) => name);
    const all = asked.flatMap((name) => known.get(name.replace(/_bucket$/, "")) ?? []);
    for (const [, list = ""] of expression.matchAll(/\bby \(([^)]*)\)/g))
      for (const label of list.split(",").map((each) => each.trim()))
        expect([...all, "le", "job", "instance"], expression).toContain(label);
  }
});

it("shows every metric on the dashboard", async () => {
  const shown = ofDashboard.join("\n");
  const own = [...(await metricLabels()).keys()].filter((name) => name.startsWith("gancho_"));
  expect(own.filter((name) => !shown.includes(name))).toEqual([]);
});
