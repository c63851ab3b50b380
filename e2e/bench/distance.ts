import { createPartnerApi } from "@/lib/platform/payment-service/client";
import { Secret } from "@/lib/platform/runtime/secret";
import { startSandbox } from "@/lib/sandbox/start";
import { createTestAuthority } from "@/lib/tools/certificates";
import type { AddressInfo } from "node:net";
import net from "node:net";
import tls from "node:tls";
import { once } from "node:events";
import { printTable, share } from "./figures";

/** Milliseconds that one call may take above the trips that it cannot save. */
const aims = { reading: [1, 12], save: [4, 25] } as const;

/**
 * How many round trips a reading and the calls of a save take, with the payment service so many milliseconds away, over
 * TLS: each call over a connection of its own, as background readings are made, and as people's are.
 */
export async function measureDistance({ tripMs, rounds }: { tripMs: number; rounds: number }) {
  const client = { client_id: "bench", client_secret: "bench-only" };
  const sandbox = await startSandbox({ clients: [client] });
  const authority = createTestAuthority();
  const front = await listening(
    tls.createServer(authority.issue({ names: ["localhost"] }), (socket) => {
      join(socket, net.connect(Number(new URL(sandbox.url).port), "127.0.0.1"), 0, 0);
    }),
  );
  const wire = await listening(
    net.createServer((socket) => {
      // One more for the first bytes: the handshake of TCP, which is over at once on one machine.
      join(socket, net.connect(front, "127.0.0.1"), tripMs / 2, tripMs);
    }),
  );
  const silent = { info: () => undefined, warn: () => undefined };
  const api = createPartnerApi({ userAgent: "gancho/bench", log: silent, ca: authority.ca });
  const connection = {
    id: "bench",
    version: 1,
    baseUrl: `https://localhost:${wire}`,
    clientId: client.client_id,
    clientSecret: new Secret(client.client_secret),
  };
  const requestId = "bench";
  const list = async (own: boolean) => {
    const read = await api.list(connection, { requestId, ...(own && { background: true }) });
    if (!read.ok) throw new Error(read.fault.code);
  };
  const save = async (own: boolean) => {
    const early = own ? null : api.prepare(connection);
    await list(own);
    const input = { type: null, url: "https://partner.example/", authorization: null };
    const registered = await api.register(connection, input, { requestId, early });
    if (!registered.ok) throw new Error(registered.fault.code);
    early?.close();
    await list(own);
  };
  const took = {
    reading: { own: [] as number[], kept: [] as number[] },
    save: { own: [] as number[], kept: [] as number[] },
  };
  // Warm-up, with the token.
  for (const own of [true, false]) await save(own);
  for (let round = 0; round < rounds; round += 1)
    for (const [what, call] of [
      ["reading", list],
      ["save", save],
    ] as const)
      for (const way of ["own", "kept"] as const) {
        const began = performance.now();
        await call(way === "own");
        took[what][way].push(performance.now() - began);
      }
  console.log(`The service is ${tripMs} ms away, over TLS; medians of ${rounds}\n`);
  const shown = (values: readonly number[]) => {
    const median = share(values, 0.5);
    return `${median.toFixed(0)} ms, ${(median / tripMs).toFixed(2)} trips`;
  };
  const aim = ([trips, ms]: readonly [number, number]) => `≤ ${trips * tripMs + ms} ms`;
  printTable([
    ["", "each on its own connection", "now", "aim"],
    ["a reading", shown(took.reading.own), shown(took.reading.kept), aim(aims.reading)],
    ["the calls of a save", shown(took.save.own), shown(took.save.kept), aim(aims.save)],
  ]);
  await sandbox.close();
}

async function listening(server: net.Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1").unref(), "listening");
  return (server.address() as AddressInfo).port;
}

/** Passes bytes on later, those of the first piece of the caller's later still, in their order. */
function join(caller: net.Socket, service: net.Socket, delayMs: number, firstMs: number): void {
  for (const socket of [caller, service]) socket.setNoDelay(true).on("error", () => undefined);
  const pass = (from: net.Socket, to: net.Socket, extraMs: number) => {
    let extra = extraMs;
    const later = (act: () => void) => {
      const now = performance.now();
      const at = now + delayMs + extra;
      extra = 0;
      if (at <= now) act();
      else setTimeout(act, at - now);
    };
    from.on("data", (piece: Buffer) => later(() => void (to.destroyed || to.write(piece))));
    from.on("end", () => later(() => void to.end()));
    from.on("close", () => later(() => void to.destroy()));
  };
  pass(caller, service, firstMs);
  pass(service, caller, 0);
}
