import { configure } from "@/lib/platform/database/testing/configure";
import { newPerson } from "@/lib/account/testing/account-world";
import { readSession } from "@/lib/platform/auth/sessions/read-session";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import { db } from "@/lib/platform/database/open";
import { fetchJson } from "@/lib/platform/http/client/fetch-json";
import type { IncomingHttpHeaders, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { dashboardServers } from "./dashboard-server";

const arrived = vi.hoisted(() => ({ headers: {} as IncomingHttpHeaders, cookie: "" }));
vi.unmock("@/lib/platform/auth/sessions/read-session");
vi.mock("next/headers", () => ({
  headers: async () => new Headers(arrived.headers as Record<string, string>),
  cookies: async () => ({ get: () => ({ value: arrived.cookie }) }),
}));

let server: Server | undefined;
let url = "";
beforeAll(async () => {
  await configure();
  [server] = await dashboardServers({
    port: 0,
    host: null,
    url: new URL("https://gancho.example.com"),
    trustedProxyHops: 0,
    development: false,
  }).listen((request, response) => {
    arrived.headers = request.headers;
    void readSession().then((session) => response.end(JSON.stringify(session !== null)));
  });
  url = `http://127.0.0.1:${(server?.address() as AddressInfo).port}/api/x`;
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => server?.close());

const minute = 60_000;

it("a page that nobody touches does not extend its session, through all of Gancho's server (threat: an unattended desk)", async () => {
  const from = { clientAddress: null, userAgent: null };
  const begun = Date.now() - 20 * minute;
  const id = await startSession(db(), (await newPerson()).id, from, { now: begun });
  arrived.cookie = id;
  const lastUse = async () =>
    (await db().selectFrom("sessions").select("last_seen_at").executeTakeFirstOrThrow())
      .last_seen_at;
  const read = () => fetchJson(url, { timeout: minute });

  const now = vi.spyOn(performance, "now").mockReturnValue(2 * minute);
  expect(await read()).toEqual({ kind: "ok", body: true });
  expect(await lastUse()).toBe(begun);
  now.mockReturnValue(minute / 2);
  expect(await read()).toEqual({ kind: "ok", body: true });
  expect(await lastUse()).toBeGreaterThan(begun + 19 * minute);
});
