import { Secret } from "@/lib/platform/runtime/secret";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import {
  connectionTo,
  startServices,
  testClient,
} from "@/lib/platform/payment-service/testing/harness";

let services: Awaited<ReturnType<typeof startServices>>;

beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.close());
beforeEach(() => services.upstream.setPlan({ rules: [] }));

const options = { requestId: "check" };
const wrong = { clientSecret: new Secret("wrong") };

test("credentials that work are exchanged anew at each check, whatever is kept", async () => {
  const { api, lines } = testClient();
  const connection = connectionTo(services.sandbox.url);
  await api.list(connection, options);
  expect(await api.check(connection, options)).toEqual({ ok: true });
  expect(await api.check(connection, options)).toEqual({ ok: true });
  expect(lines.filter(({ call }) => call === "token")).toHaveLength(3);
});

test("a candidate's refusal does not touch what is in use (threat: a typo that cuts a partner off)", async () => {
  const { api, lines } = testClient();
  const connection = connectionTo(services.sandbox.url);
  await api.list(connection, options);
  const candidate = connectionTo(services.sandbox.url, { version: 2, ...wrong });
  expect(await api.check(candidate, options)).toMatchObject({
    ok: false,
    fault: { code: "credentials_rejected", applied: "no", during: "token", upstreamStatus: 401 },
  });
  expect(await api.list(connection, options)).toMatchObject({ ok: true });
  expect(lines.filter(({ call }) => call === "token")).toHaveLength(2);
});

test("a remembered rejection does not answer for the service", async () => {
  const { api } = testClient();
  const connection = connectionTo(services.sandbox.url);
  services.sandbox.setClients([]);
  expect(await api.list(connection, options)).toMatchObject({ ok: false });
  services.sandbox.setClients([
    { client_id: connection.clientId, client_secret: connection.clientSecret.reveal() },
  ]);
  expect(await api.check(connection, options)).toEqual({ ok: true });
});

test("it ends at the caller's budget when nothing answers", async () => {
  const { api } = testClient();
  services.upstream.setPlan({
    rules: [{ kind: "token", action: { cutAfter: 0, ending: "hang" } }],
  });
  const connection = connectionTo(services.upstream.url);
  expect(await api.check(connection, { ...options, timeoutMs: 100 })).toMatchObject({
    ok: false,
    fault: { code: "upstream_timeout" },
  });
});
