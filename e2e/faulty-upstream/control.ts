import http from "node:http";
import { json } from "node:stream/consumers";
import { planSchema } from "./plan";
import type { FaultyUpstream } from "./server";

/**
 * Steers a faulty upstream over HTTP, for tests that run in another process:
 *
 *   PUT    /plan      a plan (plan.ts); counting begins from the start
 *   DELETE /plan      no rules any more
 *   GET    /counts    { token, list, register, other }
 *   GET    /received  every request since the plan was set
 *   GET    /idle      answers when every request is dealt with, what is applied late included
 */
export function createControlServer(upstream: FaultyUpstream): http.Server {
  return http.createServer((request, response) => {
    answer(upstream, request).then(
      ({ status, body }) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(body));
      },
      (error: unknown) => {
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: String(error) }));
      },
    );
  });
}

async function answer(upstream: FaultyUpstream, request: http.IncomingMessage) {
  switch (`${request.method} ${request.url}`) {
    case "PUT /plan":
      upstream.setPlan(planSchema.parse(await json(request)));
      return { status: 200, body: {} };
    case "DELETE /plan":
      upstream.setPlan({ rules: [] });
      return { status: 200, body: {} };
    case "GET /counts":
      return { status: 200, body: upstream.counts() };
    case "GET /received":
      return { status: 200, body: upstream.received() };
    case "GET /idle":
      await upstream.idle();
      return { status: 200, body: {} };
    default:
      return { status: 404, body: { error: "No such control" } };
  }
}
