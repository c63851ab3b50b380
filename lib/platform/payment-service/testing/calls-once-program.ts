/**
 * Calls the payment service at the address of its first argument, with and without faults, and at that of its second,
 * which accepts connections and says nothing; then prints what keeps the process alive afterwards. A separate program,
 * since a test runner has timers and sockets too.
 */
import { connectionTo, testClient } from "./harness";

const { api } = testClient({ limits: { connectMs: 60_000, totalMs: 60_000, exchangeMs: 1_000 } });
const [, , baseUrl = "", silentUrl = ""] = process.argv;

async function main() {
  const options = { requestId: "r-1" };
  const desired = { type: null, url: "https://partner.example/", authorization: null };
  const results = [
    await api.list(connectionTo(baseUrl), options),
    await api.register(connectionTo(baseUrl), desired, options),
    await api.list(connectionTo(baseUrl, { id: "b", clientId: "unknown" }), options),
    await api.list(connectionTo("http://127.0.0.1:1", { id: "c" }), options),
    await api.list(connectionTo(`${baseUrl}/hangs`, { id: "d" }), { ...options, timeoutMs: 1_000 }),
    await api.list(connectionTo(silentUrl, { id: "e" }), options),
  ];
  // A destroyed socket is gone a turn or two of the event loop later.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  const alive = process
    .getActiveResourcesInfo()
    .filter((name) => name === "Timeout" || name.startsWith("TCP") || name.startsWith("TLS"));
  process.stdout.write(JSON.stringify({ ok: results.map(({ ok }) => ok), alive }));
}

void main();
