import { listenHere } from "@/lib/platform/runtime/testing/listen";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { newFolder } from "@/lib/platform/runtime/testing/new-folder";
import { checkDatabase } from "@/lib/cli/check-config/database";
import {
  checkNames,
  checkPaymentService,
  checkReached,
  type Check,
} from "@/lib/cli/check-config/checks";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { grantServing } from "@/lib/cli/commands/migrate";
import { noteSettings } from "@/lib/cli/settings";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import {
  freshDatabaseUrl,
  migratedDatabaseUrl,
} from "@/lib/platform/database/testing/fresh-database";
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
      // Not the one of a demo that ran here: its log of heads is of another database.
      GANCHO_DATA_DIR: newFolder(),
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

  it("says which settings an instance had that started on it with others", async () => {
    const DATABASE_URL = await freshDatabaseUrl();
    const one = configured({ DATABASE_URL });
    const db = await prepareDatabase(one);
    await noteSettings(db, one);
    await db.destroy();
    const settings = async (set: Record<string, string>) =>
      lines(await checkDatabase(configured({ DATABASE_URL, ...set }))).filter((line) =>
        line.includes(": settings: "),
      );
    expect(await settings({ PORT: "3100", LOG_LEVEL: "warn" })).toEqual([
      "ok: settings: are those of the last start on this database",
    ]);
    const other = newKeys().AUTH_SECRET;
    const [line = "", ...more] = await settings({
      GANCHO_URL: "http://localhost:3100",
      AUTH_SECRET: other,
      PARTNER_API_ENVIRONMENTS: "production=http://127.0.0.1:10",
    });
    expect(more).toEqual([]);
    expect(line).toMatch(
      /^fails: settings: the last start on this database, at 2\S+Z, had another AUTH_SECRET, GANCHO_URL \(http:\/\/localhost:3000\), PARTNER_API_ENVIRONMENTS \(production=http:\/\/127\.0\.0\.1:9\): .*a database of its own/,
    );
    expect(line).not.toContain(other.slice(0, 8));
    expect(line).not.toContain(secrets.AUTH_SECRET.slice(0, 8));
  });

  describe.runIf(isPostgres)("PostgreSQL's user", () => {
    const role = `serving_${randomBytes(4).toString("hex")}`;
    const as = (url: string) => Object.assign(new URL(url), { username: role }).href;
    const check = async (DATABASE_URL: string) =>
      lines(await checkDatabase(configured({ DATABASE_URL }))).join("\n");
    const whenOwner = async (url: string, work: (db: Db) => Promise<unknown>) => {
      const db = openDatabase(url);
      await work(db);
      await db.destroy();
    };

    it("is told what a start would meet: no tables and no right to make them, rights that are missing", async () => {
      const empty = await freshDatabaseUrl();
      await whenOwner(empty, (db) => sql`create role ${sql.id(role)} login`.execute(db));
      expect(await check(empty)).toContain("note: tables: are not there yet");
      expect(await check(as(empty))).toMatch(
        new RegExp(
          `^stops: tables: .* and ${role} may not change that: run gancho migrate --grant-to ${role}, as the user that owns`,
          "m",
        ),
      );
      const url = await migratedDatabaseUrl();
      await whenOwner(url, (db) => grantServing(db, role));
      expect(await check(as(url))).not.toMatch(/^(stops|fails|note): (tables|database user)/m);
      await whenOwner(url, (db) => sql.raw(`revoke insert on sessions from ${role}`).execute(db));
      expect(await check(as(url))).toMatch(
        new RegExp(
          `^fails: database user: ${role} lacks rights in sessions: run gancho migrate`,
          "m",
        ),
      );
    });

    it("may own the tables, which is worth knowing (threat: a thief of the dashboard's password)", async () => {
      expect(await check(await migratedDatabaseUrl())).toMatch(
        /^note: database user: \S+ owns the tables, so whoever has DATABASE_URL can rewrite the history/m,
      );
    });
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
        /^fails: clock: this machine's is (599|60\d) seconds behind the database's: synchronise both/,
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

  it("reads the metadata of the provider of single sign-on, as signing in does", async () => {
    const calls = { itself: "", answer: {} as object, asked: [] as unknown[] };
    const url = await serve((request, response) => {
      calls.asked.push(request.url);
      response.end(JSON.stringify({ issuer: calls.itself, ...calls.answer }));
    });
    const endpoints = {
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      jwks_uri: `${url}/keys`,
    };
    const singleSignOn = async (OIDC_ISSUER: string) => {
      const config = configured({
        OIDC_ISSUER,
        OIDC_CLIENT_ID: "gancho",
        OIDC_CLIENT_SECRET: "hush",
      });
      return lines(await checkReached(config))[0];
    };
    Object.assign(calls, { itself: `${url}/pix`, answer: endpoints });
    expect(await singleSignOn(`${url}/pix`)).toBe(
      `ok: single sign-on: ${url}/pix answers with its metadata`,
    );
    // Threat: a start that looks right, and nobody can sign in.
    expect(await singleSignOn(`${url}/pix/`)).toBe(
      `fails: single sign-on: ${url}/pix/: the provider calls itself ${url}/pix; set OIDC_ISSUER to exactly that`,
    );
    expect(calls.asked).toEqual(Array(2).fill("/pix/.well-known/openid-configuration"));
    calls.answer = {};
    expect(await singleSignOn(`${url}/pix`)).toMatch(
      /^fails: single sign-on: \S+ answers at \S+openid-configuration with something else than a provider's metadata: check OIDC_ISSUER$/,
    );
    calls.answer = { ...endpoints, token_endpoint: "http://id.example/token" };
    expect(await singleSignOn(`${url}/pix`)).toMatch(/has an endpoint without TLS/);
    expect(await singleSignOn(await serve(answering(404)))).toMatch(
      /^fails: single sign-on: \S+ answers 404 at \S+openid-configuration: check OIDC_ISSUER$/,
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
        /^fails: single sign-on: https:\S+ has a certificate of an authority that Node does not trust/,
      ),
      "note: outbound proxy: is not set up",
      // A password that is not encoded becomes part of the host.
      "fails: mail: the host of SMTP_URL cannot be reached: nothing listens there",
      "ok: alerts webhook: the host of ALERTS_URL is reached; nothing was sent",
      "note: proxy of endpoint checks: is not set up",
    ]);
    expect(asked).toEqual([]);
  });
});

it.each<[string, Record<string, string>, string[]]>([
  [
    "a misspelt one",
    { GANCHO_TRUSTED_PROXIES: "1", REQUIRE_SECOND_FACTR: "all", AUTH_SECRET_FIEL: "x" },
    [
      "fails: variables: GANCHO_TRUSTED_PROXIES is no variable of Gancho's, so it does nothing: did you mean GANCHO_TRUSTED_PROXY?",
      "fails: variables: REQUIRE_SECOND_FACTR is no variable of Gancho's, so it does nothing: did you mean REQUIRE_SECOND_FACTOR?",
      "fails: variables: AUTH_SECRET_FIEL is no variable of Gancho's, so it does nothing: did you mean AUTH_SECRET_FILE?",
    ],
  ],
  [
    "one that begins like Gancho's",
    { OIDC_LOGO: "x" },
    ["note: variables: OIDC_LOGO is no variable of Gancho's, so it does nothing"],
  ],
  ["others of the machine", { HOME: "/", HOST: "a", LOG_FORMAT: "json", PGHOST: "db" }, []],
  ["all of Gancho's", { DATABASE_URL_FILE: "x", GANCHO_PARENT: "1", METRICS_PORT: "" }, []],
])("names variables that do nothing: %s", (_what, set, expected) => {
  expect(lines(checkNames(set))).toEqual(expected);
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

  it("tells that others reach the metrics", async () => {
    const { out } = await run({
      DATABASE_URL: `file:${newFolder()}/gancho.db`,
      PARTNER_API_ENVIRONMENTS: "live=http://127.0.0.1:9",
      METRICS_PORT: "0.0.0.0:38918",
    });
    expect(out).toMatch(
      /^note {2}metrics .* 0\.0\.0\.0, port 38918 asks for no password: let nobody but your Prometheus reach it$/m,
    );
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
