import { processWide } from "@/lib/platform/runtime/process-wide";

/**
 * The attributes of a span: our own words and figures. No partner, person or address, and nothing that a caller wrote.
 */
export type SpanFacts = Record<string, string | number>;

/** Makes spans, once tracing is on (start-tracing.ts). */
type Tracing = {
  run: <Result>(
    name: string,
    work: (note: (facts: SpanFacts) => void) => Promise<Result>,
  ) => Promise<Result>;
  /** A span that ended just now. Left out where none is around it: nobody would find it. */
  past: (name: string, ms: number, facts: SpanFacts) => void;
  /** The id of the trace that is being made, if one is. */
  traceId: () => string | undefined;
  /** Sends what is still buffered. */
  end: () => Promise<void>;
};

/** Leaves the library of OpenTelemetry to start-tracing.ts: without tracing it is not loaded. */
const holder = () => processWide("tracing", () => ({ tracing: null as Tracing | null }));

export function setTracing(tracing: Tracing | null): void {
  holder().tracing = tracing;
}

/** Runs the work as a span. `note` adds what is learned meanwhile. Rethrows errors without recording them. */
export function inSpan<Result>(
  name: string,
  work: (note: (facts: SpanFacts) => void) => Promise<Result>,
): Promise<Result> {
  const { tracing } = holder();
  return tracing ? tracing.run(name, work) : work(() => undefined);
}

/** A span of so many milliseconds that ended just now. `describe` is only called where tracing is on. */
export function recordSpan(ms: number, describe: () => { name: string; facts: SpanFacts }): void {
  const { tracing } = holder();
  if (!tracing) return;
  const { name, facts } = describe();
  tracing.past(name, ms, facts);
}

/** By it a line of the log and a trace find each other. */
export function currentTraceId(): string | undefined {
  return holder().tracing?.traceId();
}

export async function endTracing(): Promise<void> {
  await holder().tracing?.end();
}
