/**
 * The faulty upstream (server.ts) as a program, for tests in another process:
 *
 *   node --import tsx e2e/faulty-upstream/main.ts
 *
 * FAULTY_SANDBOX        base address of the sandbox to stand in front of; left out: none
 * FAULTY_PORT           left out: any free port
 * FAULTY_CONTROL_PORT   where it is steered (createControlServer); left out: any free port
 *
 * Prints one line of JSON with both addresses when it is ready, and ends at SIGTERM or SIGINT.
 */
import { once } from "node:events";
import { startFaultyUpstream, type FaultyUpstream } from "./server";
import http from "node:http";
import { json } from "node:stream/consumers";
import { planSchema } from "./plan";

async function main(): Promise<void> {
  const { FAULTY_SANDBOX: sandbox, FAULTY_PORT, FAULTY_CONTROL_PORT } = process.env;
  const upstream = await startFaultyUpstream({
    port: Number(FAULTY_PORT ?? 0),
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  const control = createControlServer(upstream);
  control.listen({ host: "127.0.0.1", port: Number(FAULTY_CONTROL_PORT ?? 0) });
  await once(control, "listening");
  const address = control.address();
  if (address === null || typeof address === "string") throw new Error("Not a TCP server");
  console.log(
    JSON.stringify({ upstream: upstream.url, control: `http://127.0.0.1:${address.port}` }),
  );

  await Promise.race([once(process, "SIGTERM"), once(process, "SIGINT")]);
  control.close();
  control.closeAllConnections();
  await upstream.close();
}

main().catch((error: unknown) => {
  console.error(`The faulty upstream cannot start: ${String(error)}`);
  process.exitCode = 1;
});

/**
 * Steers a faulty upstream over HTTP, for tests that run in another process:
 *
 *   PUT    /plan      a plan (plan.ts); counting begins from the start
 *   DELETE /plan      no rules any more
 *   GET    /counts    { token, list, register, other }
 *   GET    /received  every request since the plan was set
 *   GET    /idle      answers when every request is dealt with, what is applied late included
 */
function createControlServer(upstream: FaultyUpstream): http.Server {
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
