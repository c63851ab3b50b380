import type { Env } from "@/lib/platform/env/env";
import { renderMetrics } from "@/lib/platform/metrics/metrics";
import { createServer, type Server } from "node:http";
import { listen } from "./dashboard-server";

/**
 * `GET /metrics` on a separate port, so that no proxy of the dashboard leads there; null where METRICS_PORT is not set.
 * Throws `CliError` when the port is not available.
 */
export async function serveMetrics({ metrics }: Pick<Env, "metrics">): Promise<Server | null> {
  if (!metrics) return null;
  const server = createServer({ requestTimeout: 10_000 }, (request, response) => {
    const isAsked = request.url?.split("?")[0] === "/metrics";
    if (!isAsked) return response.writeHead(404).end();
    if (request.method !== "GET" && request.method !== "HEAD")
      return response.writeHead(405, { allow: "GET, HEAD" }).end();
    return renderMetrics().then(
      ({ contentType, text }) => response.writeHead(200, { "content-type": contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await listen(server, metrics.port, metrics.host, { port: "METRICS_PORT", host: "METRICS_PORT" });
  // It lives as long as the process, and does not keep it alive.
  return server.unref();
}
