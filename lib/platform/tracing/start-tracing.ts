import "server-only";
import type { TracesSettings } from "@/lib/platform/env/env";
import { log } from "@/lib/platform/log/log";
import packageJson from "@/package.json";
import {
  context,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
} from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type ReadableSpan,
  type SpanExporter,
} from "@opentelemetry/sdk-trace";
import { withTimeout } from "@/lib/platform/runtime/deadline";
import { setTracing, type SpanFacts } from "./trace";

/*
 * Traces by OpenTelemetry, to a collector that the operator names. Loaded only where they are on. The exporter reads the
 * usual variables of its own by itself: address, headers, time limit, certificates.
 */

const scope = "gancho";

/** Milliseconds that sending the rest may take when the process ends. */
const farewellMs = 3_000;

export function startTracing({ sampler, ratio, serviceName }: TracesSettings): void {
  const provider = new TracerProvider({
    // OTEL_RESOURCE_ATTRIBUTES and OTEL_SERVICE_NAME of the operator win.
    resource: resourceFromAttributes({
      "service.name": serviceName,
      "service.version": packageJson.version,
    }).merge(detectResources({ detectors: [envDetector] })),
    sampler: new ParentBasedSampler({
      root: {
        on: new AlwaysOnSampler(),
        off: new AlwaysOffSampler(),
        ratio: new TraceIdRatioBasedSampler(ratio),
      }[sampler],
    }),
    spanProcessors: [
      new BatchSpanProcessor({ exporter: withKnownFactsOnly(new OTLPTraceExporter()) }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // The framework passes a request between its parts with this. Callers' values are dropped before
  // (lib/cli/clean-headers.ts), and nothing of it is sent to anybody.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  const tracer = trace.getTracer(scope);
  setTracing({
    run: (name, work) =>
      tracer.startActiveSpan(name, { kind: SpanKind.CLIENT }, async (span) => {
        try {
          return await work((facts) => span.setAttributes(facts));
        } catch (error) {
          span.setAttribute("error.type", error instanceof Error ? error.name : typeof error);
          throw error;
        } finally {
          span.end();
        }
      }),
    past: (name, ms, facts: SpanFacts) => {
      if (!trace.getActiveSpan()?.isRecording()) return;
      const startTime = Date.now() - ms;
      tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: facts, startTime }).end();
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
    end: async () => {
      setTracing(null);
      await withTimeout(farewellMs, provider.shutdown()).catch(() => undefined);
    },
  });
  log.info({ sampler, ...(sampler === "ratio" && { ratio }) }, "traces are sent");
}

/** The exported attributes of our spans and the framework's. Others may be an address, or written by a caller. */
const known =
  /^(http\.(method|route|status_code|response\.status_code)|next\.(route|span_type|rsc)|error\.type|db\.(system\.name|operation\.name|query\.text)|gancho\.[a-z_]+)$/;

/**
 * The framework's spans contain whole addresses with their queries, and messages of errors, which quote their input. So
 * only known parts are exported: names are replaced, attributes chosen by name, events and messages left out.
 */
function withKnownFactsOnly(exporter: SpanExporter): SpanExporter {
  let silentUntil = 0;
  return {
    export: (spans, done) =>
      exporter.export(spans.map(knownFacts), (result) => {
        if (result.error && silentUntil < performance.now()) {
          silentUntil = performance.now() + 60_000;
          log.warn({ err: result.error }, "traces could not be sent; said once a minute at most");
        }
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function knownFacts(span: ReadableSpan): ReadableSpan {
  const { kind, parentSpanContext, startTime, endTime, duration, ended, resource } = span;
  const { instrumentationScope, droppedAttributesCount, droppedEventsCount, droppedLinksCount } =
    span;
  const attributes: Attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => known.test(name)),
  );
  const failed = span.status.code === SpanStatusCode.ERROR || "error.type" in attributes;
  return {
    kind,
    startTime,
    endTime,
    duration,
    ended,
    resource,
    instrumentationScope,
    ...(parentSpanContext && { parentSpanContext }),
    droppedAttributesCount,
    droppedEventsCount,
    droppedLinksCount,
    name: instrumentationScope.name === scope ? span.name : nameOf(attributes),
    spanContext: () => span.spanContext(),
    status: { code: failed ? SpanStatusCode.ERROR : SpanStatusCode.UNSET },
    attributes,
    links: [],
    events: [],
  };
}

/** A route is one of the build's. */
function nameOf(attributes: Attributes): string {
  const type = String(attributes["next.span_type"] ?? "framework");
  if (type !== "BaseServer.handleRequest") return type;
  // The first of two passes of a page, before its route is known, has none.
  const route = attributes["http.route"] ?? attributes["next.route"];
  return [attributes["http.method"], route].filter(Boolean).join(" ");
}
