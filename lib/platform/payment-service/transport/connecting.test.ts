import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { type Certificate, createTestAuthority } from "@/lib/tools/certificates";
import { type FaultyUpstream, startFaultyUpstream } from "@/e2e/faulty-upstream/server";
import { type Sandbox, startSandbox } from "@/lib/sandbox/start";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import {
  connectionTo,
  credentials,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";

/**
 * What goes wrong before a request can be sent. Each row is met by an exchange, and by a list and a registration that
 * have their token already: of the registration it must be certain that it was not applied.
 */
const { ca, issue, selfSigned } = createTestAuthority();
const names = ["localhost"];
const options = { requestId: "r-1" };
const desired = { type: null, url: "https://partner.example/", authorization: null };

let sandbox: Sandbox;
const opened: FaultyUpstream[] = [];
beforeAll(async () => {
  sandbox = await startSandbox({ clients: [credentials] });
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await Promise.all(opened.splice(0).map((upstream) => upstream.close()));
});
afterAll(async () => {
  await sandbox.close();
});

async function open(certificate: Certificate | null, port = 0) {
  const upstream = await startFaultyUpstream({
    sandbox: sandbox.url,
    port,
    ...(certificate ? { certificate } : {}),
  });
  opened.push(upstream);
  return upstream;
}

async function close(upstream: FaultyUpstream) {
  opened.splice(opened.indexOf(upstream), 1);
  await upstream.close();
}

const rows: {
  fault: string;
  code: FaultCode;
  /** Takes the place of a good upstream at the same port. */
  instead: (port: number) => Promise<FaultyUpstream | null>;
}[] = [
  { fault: "a refused connection", code: "connection_refused", instead: async () => null },
  {
    fault: "an expired certificate",
    code: "certificate_expired",
    instead: (port) => open(issue({ names, fromDay: -30, toDay: -1 }), port),
  },
  {
    fault: "a certificate for another name",
    code: "certificate_wrong_name",
    instead: (port) => open(issue({ names: ["payments.example"] }), port),
  },
  {
    fault: "a self-signed certificate",
    code: "certificate_untrusted",
    instead: (port) => open(selfSigned({ names }), port),
  },
  {
    fault: "plain HTTP where TLS belongs",
    code: "connection_failed",
    instead: (port) => open(null, port),
  },
  {
    fault: "a handshake that hangs",
    code: "upstream_timeout",
    instead: async (port) => {
      const upstream = await open(issue({ names }), port);
      upstream.setPlan({ rules: [], connections: "hang" });
      return upstream;
    },
  },
];

describe.each(rows)("$fault", ({ code, instead }) => {
  it(`is ${code}, and no request is sent`, async () => {
    const good = await open(issue({ names }));
    const { api } = testClient({ ca, limits: { connectMs: 1_000 } });
    const withToken = connectionTo(good.url);
    expect(await api.list(withToken, options)).toMatchObject({ ok: true });
    await close(good);
    const bad = await instead(good.port);

    const without = connectionTo(good.url, { id: "no-token-yet" });
    const fault = { code, applied: "no" };
    // In sequence: another test could get the port on which nobody listens.
    expect(await api.register(withToken, desired, options)).toMatchObject({
      ok: false,
      fault: { ...fault, during: "register" },
    });
    expect(await api.list(withToken, options)).toMatchObject({
      ok: false,
      fault: { ...fault, during: "list" },
    });
    expect(await api.register(without, desired, options)).toMatchObject({
      ok: false,
      fault: { ...fault, during: "token" },
    });
    if (bad) expect(bad.received()).toEqual([]);
  });
});

describe("a certificate in order", () => {
  it.each([["localhost"], ["127.0.0.1"]])("lets us in by %s", async (host) => {
    const upstream = await open(issue({ names: [host] }));
    const { api } = testClient({ ca });
    const connection = connectionTo(`https://${host}:${upstream.port}`);
    expect(await api.list(connection, options)).toMatchObject({ ok: true });
  });
});

it("verifies certificates whatever the environment says (threat: NODE_TLS_REJECT_UNAUTHORIZED=0)", async () => {
  vi.stubEnv("NODE_TLS_REJECT_UNAUTHORIZED", "0");
  // Node warns of the variable, as it should.
  vi.spyOn(process, "emitWarning").mockReturnValue(undefined);
  const upstream = await open(selfSigned({ names }));
  const { api } = testClient();
  expect(await api.list(connectionTo(upstream.url), options)).toMatchObject({
    fault: { code: "certificate_untrusted" },
  });
  expect(upstream.received()).toEqual([]);
});
