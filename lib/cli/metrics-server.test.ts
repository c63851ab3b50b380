import { freePort } from "@/e2e/installation/free-port";
import { log } from "@/lib/platform/log/log";
import { expect, it, onTestFinished, vi } from "vitest";
import { consoleToLog } from "./request-log";
import { serveMetrics } from "./metrics-server";

it("answers GET /metrics, and nothing else", async () => {
  const port = await freePort();
  const server = await serveMetrics({ metrics: { host: "127.0.0.1", port } });
  onTestFinished(() => void server?.close());
  const at = (path: string, method = "GET") =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { connection: "close" } });
  const answer = await at("/metrics");
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  expect(await answer.text()).toContain("# TYPE gancho_http_requests_total counter");
  expect((await at("/")).status).toBe(404);
  expect((await at("/api/health/live")).status).toBe(404);
  expect((await at("/metrics", "POST")).status).toBe(405);
});

it("turns what the framework prints into log lines", () => {
  const before = { ...console };
  const written = { error: vi.spyOn(log, "error"), info: vi.spyOn(log, "info") };
  const listeners = process.listeners("warning");
  const print = consoleToLog();
  const err = new Error("a page failed");
  console.error("\u001b[31m⨯\u001b[39m", err, { digest: "1" });
  console.log("Ready");
  Object.assign(console, before);
  process.removeAllListeners("uncaughtExceptionMonitor").removeAllListeners("warning");
  for (const listener of listeners) process.on("warning", listener);
  expect(written.error).toHaveBeenCalledWith({ source: "framework", err }, "⨯ { digest: '1' }");
  expect(written.info).toHaveBeenCalledWith({ source: "framework" }, "Ready");
  expect(print).not.toBe(console.log);
});
