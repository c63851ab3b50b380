import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { connectionTo, startServices, testClient } from "./testing/harness";

let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  services = await startServices();
});
afterAll(() => services.close());
beforeEach(() => services.upstream.setPlan({ rules: [] }));

it("people's calls never wait behind background ones, however many are in flight", async () => {
  const { api } = testClient({
    limits: { concurrencyPerOrigin: 1, reservedForSaves: 0, waiting: 0 },
  });
  const connection = connectionTo(services.upstream.url);
  await api.list(connection, { requestId: "token" });
  services.upstream.setPlan({
    rules: [{ kind: "list", times: 3, action: { ending: "hang", cutAfter: 0 } }],
  });
  const given = new AbortController();
  const hanging = [1, 2, 3].map((number) =>
    api
      .list(connection, { requestId: `${number}`, background: true, signal: given.signal })
      .catch((reason: unknown) => reason),
  );
  await expect.poll(() => services.upstream.counts().list).toBe(3);
  expect(await api.list(connection, { requestId: "person" })).toMatchObject({ ok: true });
  given.abort(new Error("enough"));
  expect(await Promise.all(hanging)).toHaveLength(3);
});

it.each(["list", "token"] as const)(
  "a background call is not tried again where the service asks to slow down, and says for how long: %s",
  async (kind) => {
    const { api, lines } = testClient();
    const answer = { status: 429, headers: { "retry-after": "1" }, body: "{}" };
    services.upstream.setPlan({ rules: [{ kind, action: { answer } }] });
    const connection = connectionTo(services.upstream.url, { id: `slow-${kind}` });
    const heard: string[] = [];
    const result = await api.list(connection, {
      requestId: "r",
      background: true,
      onCall: ({ call }) => heard.push(call),
    });
    expect(result).toMatchObject({
      ok: false,
      fault: { code: "upstream_rate_limited", retryAfter: 1 },
    });
    expect(services.upstream.counts()[kind]).toBe(1);
    expect(lines.at(-1)).toMatchObject({ call: kind, fault: "upstream_rate_limited" });
    expect(heard).toEqual(kind === "list" ? ["list"] : []);
  },
);
