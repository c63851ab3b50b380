/**
 * The faulty upstream (server.ts) as a program, for tests in another process:
 *
 *   node --import tsx e2e/faulty-upstream/main.ts
 *
 * FAULTY_SANDBOX        base address of the sandbox to stand in front of; left out: none
 * FAULTY_PORT           left out: any free port
 * FAULTY_CONTROL_PORT   where it is steered (control.ts); left out: any free port
 *
 * Prints one line of JSON with both addresses when it is ready, and ends at SIGTERM or SIGINT.
 */
import { once } from "node:events";
import { createControlServer } from "./control";
import { startFaultyUpstream } from "./server";

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
