import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import {
  checkDatabase,
  checkPaymentService,
  checkReached,
  type Check,
} from "@/lib/cli/check-config/checks";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { parseEnv } from "@/lib/platform/env/env";
import { createTestAuthority } from "@/lib/tools/certificates";
import { existsSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { describe, expect, it, vi } from "vitest";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

const secrets = newKeys();

const configured = (set: Record<string, string>) =>
  parseEnv(
    {
      GANCHO_URL: "http://localhost:3000",
      DATABASE_URL: "file:/nowhere/gancho.db",
      PARTNER_API_ENVIRONMENTS: "production=http://127.0.0.1:9",
      ...secrets,
      ...set,
    },
    { mode: "production" },
  );

/** One line each, as they are printed but for the columns. */
const lines = (found: Check[]) =>
  found.map(({ status, subject, message }) => `${status}: ${subject}: ${message}`);

async function serve(listener: RequestListener, tls?: { key: string; cert: string }) {
  const port = await listenHere(tls ? createTlsServer(tls, listener) : createServer(listener));
  return `${tls ? "https" : "http"}://127.0.0.1:${port}`;
}

const answering =
  (status: number) => (_request: unknown, response: Parameters<RequestListener>[1]) =>
    void response.writeHead(status).end("{}");

const unknownCertificate = () => createTestAuthority().issue({ names: ["127.0.0.1"] });

describe("the database", () => {
  it("is reported as empty, then as up to date, and checking creates and changes nothing", async () => {
    const config = configured({ DATABASE_URL: await freshDatabaseUrl() });
    const before = lines(await checkDatabase(config)).join("\n");
    expect(before).toMatch(/the first start|the next start/);
    expect(before).not.toMatch(/^(stops|fails)/m);
    if (!isPostgres)
      expect(existsSync(config.databaseUrl.reveal().slice("file:".length))).toBe(false);
    await (await prepareDatabase(config)).destroy();
    const after = lines(await checkDatabase(config));
    expect(after).toContain("ok: tables: are up to date");
    expect(after).toContain("ok: encryption keys: decrypt what the database has");
    expect(after.join("\n")).not.toMatch(/^(stops|fails)/m);
  });

  it.runIf(isPostgres)("reports a clock that differs from the database's", async () => {
    const config = configured({ DATABASE_URL: await freshDatabaseUrl() });
    expect(lines(await checkDatabase(config))).toContain(
      "ok: clock: this machine's agrees with the database's",
    );
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 600_000 });
    const found = lines(await checkDatabase(config));
    vi.useRealTimers();
    expect(found).toContainEqual(
      expect.stringMatching(
        /^fails: clock: this machine's is (599|600) seconds behind the database's: synchronise both/,
      ),
    );
  });
});

describe.skipIf(isPostgres)("what Gancho calls", () => {
  const service = async (url: string) =>
    lines(await checkPaymentService(configured({ PARTNER_API_ENVIRONMENTS: `live=${url}` })))[0];

  it("recognises the payment service without credentials", async () => {
    const asked: (string | undefined)[] = [];
    const url = await serve((request, response) => {
      asked.push(`${request.method} ${request.url} ${String(request.headers.authorization)}`);
      response.writeHead(401).end('{"error":"unauthorized"}');
    });
    expect(await service(`${url}/pix`)).toBe(
      `ok: payment service live: ${url}/pix answers, and asks for credentials, as it should`,
    );
    expect(asked).toEqual(["POST /pix/api/oauth/token undefined"]);
    for (const [status, says] of [
      [403, "does not allow this machine's address"],
      [404, "answers 404 where the payment service asks for credentials"],
      [302, "answers 302 where the payment service asks for credentials"],
      [200, "answers 200 where the payment service asks for credentials"],
      [503, "it is there, and cannot serve now"],
    ] as const)
      expect(await service(await serve(answering(status)))).toMatch(
        new RegExp(`^fails: payment service live: http://\\S+ .*${says}`),
      );
  });

  it("reports what is wrong with the connection", async () => {
    expect(await service("http://127.0.0.1:9")).toBe(
      "fails: payment service live: http://127.0.0.1:9 cannot be reached: nothing listens there",
    );
    const url = await serve(answering(401), unknownCertificate());
    expect(await service(url)).toMatch(
      /has a certificate of an authority that Node does not trust.* NODE_EXTRA_CA_CERTS/,
    );
  });

  it("connects to the other services, and sends them nothing", async () => {
    const asked: unknown[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.end();
    });
    const secure = await serve(answering(200), unknownCertificate());
    const config = configured({
      SMTP_URL: "smtp://ana:hush@127.0.0.1:9",
      MAIL_FROM: "gancho@example.com",
      OIDC_ISSUER: secure,
      OIDC_CLIENT_ID: "gancho",
      OIDC_CLIENT_SECRET: "hush",
      ALERTS_URL: `${url}/in?key=hush`,
      ALERTS_SECRET: `whsec_${secrets.AUTH_SECRET}`,
    });
    expect(lines(await checkReached(config))).toEqual([
      expect.stringMatching(
        /^fails: single sign-on: 127.0.0.1 has a certificate of an authority that Node does not trust/,
      ),
      "fails: mail: 127.0.0.1 cannot be reached: nothing listens there",
      expect.stringMatching(
        /^ok: alerts webhook: 127.0.0.1, port \d+ is reached; nothing was sent$/,
      ),
      "note: proxy of endpoint checks: is not set up",
    ]);
    expect(asked).toEqual([]);
  });
});

describe.skipIf(isPostgres)("the command", () => {
  const run = (set: Record<string, string>) =>
    runGancho(["check-config"], {
      NODE_ENV: "production",
      GANCHO_URL: "http://localhost:3000",
      PORT: "38917",
      ...secrets,
      ...set,
    });

  it("exits with 0 where all works, 3 where something that Gancho calls does not, 1 where Gancho would not start", async () => {
    const url = await serve(answering(401));
    const DATABASE_URL = `file:${newFolder()}/gancho.db`;
    const right = { DATABASE_URL, PARTNER_API_ENVIRONMENTS: `live=${url}` };
    const good = await run(right);
    expect(good).toMatchObject({ code: 0, err: "" });
    expect(good.out).toContain("Nothing was found that would keep Gancho from working.");
    expect(existsSync(DATABASE_URL.slice("file:".length))).toBe(false);

    expect(good.out).not.toContain("GANCHO_TRUSTED_PROXY");

    const nowhere = { PARTNER_API_ENVIRONMENTS: "live=http://127.0.0.1:9" };
    const unreachable = await run({ ...right, ...nowhere, GANCHO_URL: "https://gancho.example" });
    expect(unreachable.code).toBe(3);
    expect(unreachable.out).toMatch(/^note {2}proxy .* set GANCHO_TRUSTED_PROXY/m);
    expect(unreachable.out).toMatch(/^FAIL {2}payment service live/m);

    const wrong = await run({ ...right, AUTH_SECRET: "hush", SMTP_URL: "hush-hush" });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/^FAIL {2}variables +AUTH_SECRET is too short/m);
    for (const { out, err } of [good, unreachable, wrong])
      for (const secret of [
        "hush",
        secrets.AUTH_SECRET,
        secrets.ENCRYPTION_KEYS.slice("test:".length),
      ])
        expect(out + err).not.toContain(secret);
  });
});
