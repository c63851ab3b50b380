import { openDatabase } from "@/lib/platform/database/open";
import { createLog } from "@/lib/platform/log/log";
import { sendMail } from "@/lib/platform/mail/send-mail";
import { startMailServer } from "@/lib/platform/mail/testing/mail-server";
import {
  connectionTo,
  credentials,
  startServices,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";
import { Secret } from "@/lib/platform/runtime/secret";
import { sql } from "kysely";
import { getTracer, SpanKind } from "next/dist/server/lib/trace/tracer";
import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { afterEach, expect, it, vi } from "vitest";
import { startTracing } from "./start-tracing";
import { startCollector } from "./testing/collector";
import { endTracing, inSpan } from "./trace";

afterEach(async () => {
  await endTracing();
  vi.unstubAllEnvs();
});

const canary = (what: string) => `canary-${what}-${randomBytes(6).toString("hex")}`;

const settings = {
  url: new URL("http://127.0.0.1:4318"),
  sampler: "on",
  ratio: 1,
  serviceName: "gancho",
} as const;

it("sends requests, calls, statements and mails to a collector, and nothing that is secret or anybody's (threat: a trace store that everybody reads)", async () => {
  const collector = await startCollector();
  const key = canary("collector-key");
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  vi.stubEnv("OTEL_EXPORTER_OTLP_HEADERS", `x-api-key=${key}`);
  startTracing(settings);

  const [services, mailServer] = [await startServices(), await startMailServer()];
  const db = openDatabase(
    `file:${path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "a.db")}`,
  );
  const canaries = {
    query: canary("query"),
    header: canary("header"),
    value: canary("value"),
    literal: canary("literal"),
    error: canary("error"),
    mail: `${canary("mail")}@aurora.example`,
    text: canary("link"),
    authorization: canary("authorization"),
  };
  const { api } = testClient();
  const lines: string[] = [];
  const log = createLog(
    new Writable({ write: (line, _encoding, done) => (lines.push(String(line)), done()) }),
    "info",
  );
  // As the framework makes them: with the whole address, and with what an error says.
  const request = getTracer().trace(
    "BaseServer.handleRequest" as never,
    {
      spanName: `GET /invitation?token=${canaries.query}`,
      kind: SpanKind.SERVER,
      attributes: {
        "http.method": "GET",
        "http.target": `/invitation?token=${canaries.query}`,
        "http.route": "/partners/[partner]/team",
        "http.request.header.cookie": canaries.header,
      },
    },
    async () => {
      log.info("within");
      await db
        .selectNoFrom([sql<string>`${canaries.value}`.as("one")])
        .where(sql<boolean>`${sql.lit(canaries.literal)} = ${canaries.value}`)
        .execute();
      const options = { requestId: "r-1" };
      expect(await api.list(connectionTo(services.upstream.url), options)).toMatchObject({
        ok: true,
      });
      await api.register(
        connectionTo(services.upstream.url),
        {
          type: "pix_in",
          url: `https://${canaries.text}.example.com/pix`,
          authorization: new Secret(canaries.authorization),
        },
        options,
      );
      await sendMail(
        { url: new Secret(mailServer.url), from: "gancho@example.com" },
        { to: canaries.mail, subject: canaries.text, text: canaries.text },
      );
      await inSpan("fails", () => Promise.reject(new TypeError(canaries.error))).catch(
        () => undefined,
      );
      throw new Error(canaries.error);
    },
  );
  await expect(request).rejects.toThrow(canaries.error);
  await endTracing();
  const headersOfCalls = services.upstream
    .received()
    .flatMap(({ headers }) => Object.keys(headers));
  await Promise.all([services.close(), mailServer.close(), db.destroy(), collector.close()]);

  const sent = Buffer.concat(collector.bodies).toString("latin1");
  for (const part of [
    "GET /partners/[partner]/team",
    "payment service token",
    "payment service list",
    "payment service register",
    "database select",
    "send mail",
    "TypeError",
  ])
    expect(sent).toContain(part);
  const secrets = [...Object.values(canaries), key, credentials.client_secret, mailServer.url];
  expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  // Only the collector is sent its key, and the service learns of no trace.
  expect(collector.headers.map((headers) => headers["x-api-key"])).toEqual(
    collector.headers.map(() => key),
  );
  expect(headersOfCalls).not.toContain("traceparent");
  expect(lines.join("")).toMatch(/"traceId":"[0-9a-f]{32}"/);
});

it("records no statement that belongs to no request, and nothing where the sampler says so", async () => {
  const collector = await startCollector();
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url);
  startTracing({ ...settings, sampler: "off" });
  await inSpan("unsampled", async () => undefined);
  await endTracing();
  startTracing(settings);
  const db = openDatabase(
    `file:${path.join(mkdtempSync(path.join(tmpdir(), "gancho-test-")), "a.db")}`,
  );
  await sql`select 1`.execute(db);
  await db.destroy();
  await endTracing();
  await collector.close();
  expect(collector.bodies).toEqual([]);
});

it("does its work and says so once where the collector is away", async () => {
  vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9");
  startTracing(settings);
  expect(await inSpan("work", async () => 42)).toBe(42);
  await endTracing();
});
