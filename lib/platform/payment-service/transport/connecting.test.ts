import { expect, it, onTestFinished, vi } from "vitest";
import { createTestAuthority } from "@/lib/tools/certificates";
import { startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import {
  connectionTo,
  desired,
  inServices,
  options,
  sandbox,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";

const { ca, issue, selfSigned } = createTestAuthority();
const names = ["localhost"];

inServices();

type Upstream = NonNullable<Parameters<typeof startFaultyUpstream>[0]>;
const start = (given: Upstream) => startFaultyUpstream({ sandbox: sandbox.url, ...given });

/** Until the end of the test. */
async function open(given: Upstream) {
  const upstream = await start(given);
  onTestFinished(() => upstream.close());
  return upstream;
}

/**
 * What goes wrong before a request can be sent. Each row is met by an exchange, and by a list and a registration that
 * have their token already: of the registration it must be certain that it was not applied.
 */
it.each<[fault: string, FaultCode, instead: Upstream | null]>([
  ["a refused connection", "connection_refused", null],
  [
    "an expired certificate",
    "certificate_expired",
    { certificate: issue({ names, fromDay: -30, toDay: -1 }) },
  ],
  [
    "a certificate for another name",
    "certificate_wrong_name",
    { certificate: issue({ names: ["payments.example"] }) },
  ],
  ["a self-signed certificate", "certificate_untrusted", { certificate: selfSigned({ names }) }],
  ["plain HTTP where TLS belongs", "connection_failed", {}],
  ["a handshake that hangs", "upstream_timeout", { certificate: issue({ names }) }],
])("%s is %s, and no request is sent", async (_fault, code, instead) => {
  const good = await start({ certificate: issue({ names }) });
  const { api } = testClient({ ca, limits: { connectMs: 1_000 } });
  const withToken = connectionTo(good.url);
  expect(await api.list(withToken, options)).toMatchObject({ ok: true });
  await good.close();
  const bad = instead && (await open({ ...instead, port: good.port }));
  if (code === "upstream_timeout") bad?.setPlan({ rules: [], connections: "hang" });

  const without = connectionTo(good.url, { id: "no-token-yet" });
  const retryable = !code.startsWith("certificate");
  const fault = { code, applied: "no", retryable };
  const failed = (during: string) => ({ ok: false, fault: { ...fault, during } });
  // In sequence: another test could get the port on which nobody listens.
  expect(await api.register(withToken, desired, options)).toMatchObject(failed("register"));
  expect(await api.list(withToken, options)).toMatchObject(failed("list"));
  expect(await api.register(without, desired, options)).toMatchObject(failed("token"));
  if (bad) expect(bad.received()).toEqual([]);
});

it.each(["localhost", "127.0.0.1"])("accepts a valid certificate for %s", async (host) => {
  const { port } = await open({ certificate: issue({ names: [host] }) });
  const { api } = testClient({ ca });
  const connection = connectionTo(`https://${host}:${port}`);
  expect(await api.list(connection, options)).toMatchObject({ ok: true });
});

it("verifies certificates whatever the environment says (threat: NODE_TLS_REJECT_UNAUTHORIZED=0)", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  // Node warns of the variable, as it should.
  vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  onTestFinished(() => void vi.unstubAllEnvs().restoreAllMocks());
  const upstream = await open({ certificate: selfSigned({ names }) });
  const { api } = testClient();
  expect(await api.list(connectionTo(upstream.url), options)).toMatchObject({
    fault: { code: "certificate_untrusted" },
  });
  expect(upstream.received()).toEqual([]);
});
