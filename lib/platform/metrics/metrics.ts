import { withTimeout } from "@/lib/platform/runtime/deadline";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

/**
 * The metrics of this process, for Prometheus. This file names all of them and has a function for each count: no other
 * file knows the library. Labels have few values, all of our own words: no partner, no person, no address, and nothing
 * that a caller wrote. Without server-only: the program that listens counts requests.
 */
type Metrics = ReturnType<typeof createMetrics>;

const metrics = (): Metrics => processWide("metrics", createMetrics);

const seconds = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name: `gancho_${name}`, help, labelNames, registers });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name: `gancho_${name}`, help, labelNames, registers });
  const histogram = (name: string, help: string, ...labelNames: string[]) =>
    new Histogram({ name: `gancho_${name}`, help, labelNames, buckets: seconds, registers });

  return {
    registry,
    readers: new Map<string, Reader>(),
    read: null as { until: number; figures: Promise<Figure[]> } | null,
    isAboutProcess: false,

    requests: counter("http_requests_total", "Requests", "method", "route", "status"),
    requestSeconds: histogram(
      "http_request_duration_seconds",
      "Time until a request was answered",
      "route",
    ),
    calls: counter(
      "payment_service_requests_total",
      "Requests to the payment service; result is ok, or the fault",
      "environment",
      "call",
      "purpose",
      "result",
    ),
    callSeconds: histogram(
      "payment_service_request_duration_seconds",
      "Time that requests to the payment service took",
      "environment",
      "call",
    ),
    tokens: counter(
      "payment_service_tokens_total",
      "Access tokens that calls asked for: kept ones, shared with others who asked, exchanged anew, or known to be refused",
      "from",
    ),
    saves: counter(
      "saves_total",
      "Recorded outcomes of saves; one that was open counts again once its end is known",
      "environment",
      "outcome",
    ),
    entries: counter("history_entries_total", "History entries", "kind", "outcome"),
    anchors: counter("history_anchor_writes_total", "Writes of the anchor file", "result"),
    anchoredAt: gauge(
      "history_anchor_last_write_timestamp_seconds",
      "When the anchor file was last written; 0: not since the start",
    ),
    readings: counter(
      "readings_total",
      "Readings of connections, by the watch or for people; result is ok, or the fault",
      "environment",
      "by",
      "result",
    ),
    statementSeconds: histogram(
      "database_statement_duration_seconds",
      "Time that the database took to answer a statement",
    ),
    databaseFailures: counter(
      "database_failures_total",
      "Work that failed: the database was unavailable, locked, full or read-only, or refused a statement",
      "reason",
    ),
    logLines: counter("log_lines_total", "Log lines at warn and above", "level"),

    gauges: {
      up: gauge("figures_up", "1 where the figures of this group could be read just now", "group"),
      info: gauge("info", "1, labelled with the running versions", "version", "node"),
      ready: gauge(
        "ready",
        "1 while this process can serve; status is what /api/health/ready says",
        "status",
      ),
      behindAnchor: gauge(
        "history_behind_anchor",
        "Histories of which the anchor file named an entry at the start of this process that the database did not have",
      ),
      databaseConnections: gauge(
        "database_connections",
        "Connections of this process to the database",
        "state",
      ),
      databaseMost: gauge(
        "database_connections_limit",
        "Maximum number of connections of this process to the database",
      ),
      databaseWaiting: gauge("database_waiting", "Work that waits for a connection"),
      clockAhead: gauge(
        "clock_ahead_seconds",
        "How far this machine's clock is ahead of the database's; negative: behind",
      ),
      connections: gauge("connections", "API connections", "environment", "state"),
      watchLag: gauge(
        "watch_lag_seconds",
        "How long the most overdue connection is overdue",
        "environment",
      ),
      watchDue: gauge("watch_due", "Connections whose background reading is due", "environment"),
      watchPeriod: gauge(
        "watch_period_seconds",
        "Time from one background reading of a connection to the next, as configured",
        "environment",
      ),
      watchBudget: gauge(
        "watch_budget_requests_per_second",
        "Requests a second that background readings may make, as configured",
        "environment",
      ),
      watchWorkers: gauge(
        "watch_workers",
        "1 while a process reads in the background, for all instances",
      ),
      serviceDown: gauge(
        "payment_service_down",
        "1 while the payment service of an environment fails for all partners",
        "environment",
      ),
      servicePaused: gauge(
        "payment_service_paused",
        "1 while background readings pause because the payment service asked for it",
        "environment",
      ),
      alerts: gauge("alerts", "Alerts that wait, and that were given up in 90 days", "state"),
      alertsOldest: gauge(
        "alerts_oldest_waiting_seconds",
        "Age of the alert that waits longest; 0: none waits",
      ),
      keys: gauge(
        "encryption_key_data_keys",
        "Data keys that a key of ENCRYPTION_KEYS encrypts",
        "key",
        "standing",
      ),
    },
  };
}

/** One value of a gauge. A value that the next collection leaves out is gone. */
export type Figure = {
  name: keyof Metrics["gauges"];
  labels?: Record<string, string>;
  value: number;
};

type Reader = () => Promise<Figure[]> | Figure[];

/** A group of figures that are read when the metrics are collected, instead of being counted. */
export function figuresFrom(group: string, read: Reader): void {
  metrics().readers.set(group, read);
  metrics().read = null;
}

export function countRequest(about: {
  method: string;
  route: string;
  status: string;
  ms: number;
}): void {
  const { method, route, status, ms } = about;
  metrics().requests.inc({ method, route, status });
  metrics().requestSeconds.observe({ route }, ms / 1_000);
}

export function countCall(about: {
  environment: string;
  call: string;
  purpose: "person" | "watch";
  result: string;
  ms: number;
}): void {
  const { environment, call, purpose, result, ms } = about;
  metrics().calls.inc({ environment, call, purpose, result });
  metrics().callSeconds.observe({ environment, call }, ms / 1_000);
}

export function countToken(from: "kept" | "shared" | "exchanged" | "refused"): void {
  metrics().tokens.inc({ from });
}

/** Of every entry; what was answered and shown of saves is also counted as such. */
export function countEntry(about: {
  kind: string;
  outcome: string | null;
  environment: string | null;
}): void {
  const { kind, outcome, environment } = about;
  metrics().entries.inc({ kind, outcome: outcome ?? "" });
  if (kind === "save_sent" || kind === "save_shown" || kind === "save_not_shown")
    metrics().saves.inc({ environment: environment ?? "", outcome: outcome ?? "" });
}

/** Starts at 0: a query for the increase within an hour would miss the first one of a kind otherwise. */
export function expectSaves(environments: Iterable<string>, outcomes: readonly string[]): void {
  for (const environment of environments)
    for (const outcome of outcomes) metrics().saves.inc({ environment, outcome }, 0);
  for (const result of ["ok", "failed"]) metrics().anchors.inc({ result }, 0);
}

/** As `expectSaves`: makes the first failure of a kind, and the first warning, visible. */
export function expectFailures(reasons: readonly string[]): void {
  for (const level of ["warn", "error", "fatal"]) metrics().logLines.inc({ level }, 0);
  for (const reason of reasons) metrics().databaseFailures.inc({ reason }, 0);
}

export function countAnchor(result: "ok" | "failed"): void {
  metrics().anchors.inc({ result });
  if (result === "ok") metrics().anchoredAt.set(Date.now() / 1_000);
}

export function countReading(about: { environment: string; by: string; result: string }): void {
  metrics().readings.inc(about);
}

export function countStatement(ms: number): void {
  metrics().statementSeconds.observe(ms / 1_000);
}

export function countDatabaseFailure(reason: string): void {
  metrics().databaseFailures.inc({ reason });
}

export function countLogLine(level: string): void {
  metrics().logLines.inc({ level });
}

/** Milliseconds for which figures are cached: the database is read this often at most. */
const cachedMs = 5_000;
/** Milliseconds that reading one group may take. */
const readMs = 3_000;

/**
 * All metrics, in the text format of Prometheus. Does not fail: leaves out a group of figures that cannot be read, and
 * `gancho_figures_up` reports it.
 */
export async function renderMetrics(): Promise<{ contentType: string; text: string }> {
  const own = metrics();
  // Only where metrics are collected: watching the event loop and the garbage collector has a cost.
  if (!own.isAboutProcess) collectDefaultMetrics({ register: own.registry });
  own.isAboutProcess = true;
  if (!own.read || own.read.until < performance.now())
    own.read = { until: performance.now() + cachedMs, figures: readFigures(own.readers) };
  const figures = await own.read.figures;
  for (const gauge of Object.values(own.gauges)) {
    gauge.reset();
    // Resetting sets a gauge without labels to 0, which nobody has read.
    gauge.remove({});
  }
  for (const { name, labels = {}, value } of figures) own.gauges[name].set(labels, value);
  return { contentType: own.registry.contentType, text: await own.registry.metrics() };
}

async function readFigures(readers: ReadonlyMap<string, Reader>): Promise<Figure[]> {
  const groups = await Promise.all(
    [...readers].map(async ([group, read]) => {
      const ended = await withTimeout(readMs, Promise.resolve().then(read)).catch(() => null);
      const found = ended?.inTime ? ended.value : null;
      const up: Figure = { name: "up", labels: { group }, value: found ? 1 : 0 };
      return [up, ...(found ?? [])];
    }),
  );
  return groups.flat();
}

/** Every metric with its labels, for the tests of queries. */
export async function metricLabels(): Promise<ReadonlyMap<string, readonly string[]>> {
  await renderMetrics();
  const all = metrics().registry.getMetricsAsArray();
  return new Map(
    all.map((metric) => [
      metric.name,
      "labelNames" in metric && Array.isArray(metric.labelNames)
        ? metric.labelNames.map(String)
        : [],
    ]),
  );
}
