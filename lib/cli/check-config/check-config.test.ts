import { checkDatabase } from "@/lib/cli/check-config/database";
import {
  checkAlerts,
  checkMail,
  checkPaymentService,
  checkProvider,
} from "@/lib/cli/check-config/services";
import { prepareDatabase } from "@/lib/cli/prepare-database";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { openDatabase } from "@/lib/platform/database/open";
import { freshDatabaseUrl } from "@/lib/platform/database/testing/fresh-database";
import { parseEnv } from "@/lib/platform/env/env";
import { startMailServer } from "@/lib/platform/mail/testing/mail-server";
import { createTestAuthority } from "@/lib/tools/certificates";
import { sql } from "kysely";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import type { Finding } from "./finding";

const isPostgres = process.env["TEST_ENGINE"] === "postgres";

const secrets = {
  AUTH_SECRET: randomBytes(48).toString("base64"),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
};

const closing: (() => unknown)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

function configured(set: Record<string, string>) {
  return parseEnv(
    {
      GANCHO_URL: "http://localhost:3000",
      DATABASE_URL: "file:/nowhere/gancho.db",
      PARTNER_API_ENVIRONMENTS: "production=http://127.0.0.1:9",
      ...secrets,
      ...set,
    },
    { mode: "production" },
  );
}

/** One line each, as they are printed but for the columns. */
const lines = (found: Finding[]) =>
  found.map(({ standing, about, says }) => `${standing}: ${about}: ${says}`);

async function serve(listener: RequestListener, tls?: { key: string; cert: string }) {
  const server = tls ? createTlsServer(tls, listener) : createServer(listener);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return `${tls ? "https" : "http"}://127.0.0.1:${port}`;
}

const answering =
  (status: number) => (_request: unknown, response: Parameters<RequestListener>[1]) =>
    void response.writeHead(status).end("{}");

describe("the database", () => {
  it("is found empty, then up to date, and nothing is made or changed by looking", async () => {
    const config = configured({ DATABASE_URL: await freshDatabaseUrl() });
    const before = lines(await checkDatabase(config)).join("\n");
    expect(before).toContain("the first start");
    expect(before).not.toMatch(/^(stops|fails)/m);
    if (!isPostgres)
      expect(existsSync(config.databaseUrl.reveal().slice("file:".length))).toBe(false);
    await (await prepareDatabase(config)).destroy();
    const after = lines(await checkDatabase(config));
    expect(after).toContain("ok: tables: are up to date");
    expect(after).toContain("ok: encryption keys: k1 open what the database has");
    expect(after.join("\n")).not.toMatch(/^(stops|fails)/m);
  });

  it("says which key it lacks", async () => {
    const url = await freshDatabaseUrl();
    const db = await prepareDatabase(configured({ DATABASE_URL: url }));
    await db
      .insertInto("data_keys")
      .values({ id: "a", partner_id: "aurora", wrapping_key_id: "k0", wrapped: "x", created_at: 1 })
      .execute();
    await db.destroy();
    expect(lines(await checkDatabase(configured({ DATABASE_URL: url })))).toContainEqual(
      expect.stringMatching(/^stops: encryption keys: ENCRYPTION_KEYS lacks the key k0/),
    );
  });

  it.runIf(isPostgres)("says what a user who may not create tables has to have done", async () => {
    const url = new URL(await freshDatabaseUrl());
    const owner = openDatabase(url.href);
    const role = `r${randomBytes(4).toString("hex")}`;
    await sql`create role ${sql.id(role)} login`.execute(owner);
    await sql`revoke create on schema public from public`.execute(owner);
    const asRole = new URL(url);
    asRole.username = role;
    const config = configured({ DATABASE_URL: asRole.href });
    expect(lines(await checkDatabase(config))).toContainEqual(
      `stops: tables: are not there yet, and ${role} may not create them: run npm run gancho -- migrate with the DATABASE_URL of the user that owns the tables`,
    );
    await (await prepareDatabase(configured({ DATABASE_URL: url.href }))).destroy();
    const found = lines(await checkDatabase(config)).join("\n");
    expect(found).toMatch(
      /^stops: tables: r\w+ may not read or write \w+: run .* --grant-to r\w+ as/m,
    );
    await owner.destroy();
  });

  it.runIf(isPostgres)("says that this machine's clock is not the database's", async () => {
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

  it.runIf(isPostgres)("names nobody's password when it cannot be reached", async () => {
    const config = configured({ DATABASE_URL: "postgres://gancho:hush-hush@127.0.0.1:9/gancho" });
    const [first = ""] = lines(await checkDatabase(config));
    expect(first).toBe(
      "stops: database: the database postgres://127.0.0.1:9/gancho cannot be reached: check DATABASE_URL, and that the server runs",
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
    expect(asked).toEqual(["GET /pix/api/v1/webhooks undefined"]);
    for (const [status, says] of [
      [403, "does not allow this machine's address"],
      [404, "answers 404 where the payment service asks for credentials"],
      [302, "answers 302 where the payment service asks for credentials"],
      [200, "that is not the payment service"],
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
    const authority = createTestAuthority();
    const url = await serve(answering(401), authority.issue({ names: ["127.0.0.1"] }));
    expect(await service(url)).toMatch(
      /has a certificate that nobody vouches for .* NODE_EXTRA_CA_CERTS/,
    );
  });

  const provider = async (
    tokenAnswer: { status: number; body: object },
    keys: object = { keys: [{}] },
  ) => {
    const asked: string[] = [];
    const issuer = await serve((request, response) => {
      const own = `http://${String(request.headers.host)}`;
      const say = (status: number, body: object) =>
        response
          .writeHead(status, { "content-type": "application/json" })
          .end(JSON.stringify(body));
      if (request.url === "/token") {
        asked.push(String(request.headers.authorization));
        say(tokenAnswer.status, tokenAnswer.body);
      } else if (request.url === "/keys") say(200, keys);
      else
        say(200, {
          issuer: own,
          authorization_endpoint: `${own}/auth`,
          token_endpoint: `${own}/token`,
          jwks_uri: `${own}/keys`,
        });
    });
    const set = { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: "gan cho", OIDC_CLIENT_SECRET: "hush:hush" };
    return { found: lines(await checkProvider(configured(set))), asked };
  };

  it("has the provider say whether it takes the client, by a code that was never given", async () => {
    const { found, asked } = await provider({ status: 400, body: { error: "invalid_grant" } });
    expect(found).toEqual([
      expect.stringMatching(/^ok: .* describes itself as OIDC_ISSUER says$/),
      "ok: single sign-on: its signing keys can be read",
      "ok: single sign-on: the provider takes OIDC_CLIENT_ID and OIDC_CLIENT_SECRET",
    ]);
    expect(asked).toEqual([`Basic ${btoa("gan+cho:hush%3Ahush")}`]);
    const refused = await provider({ status: 401, body: { error: "invalid_client" } }, {});
    expect(refused.found.slice(1)).toEqual([
      expect.stringMatching(/^fails: .* answers 200 without signing keys/),
      expect.stringMatching(/^fails: .* refuses OIDC_CLIENT_ID and OIDC_CLIENT_SECRET/),
    ]);
    const silent = await provider({ status: 500, body: {} });
    expect(silent.found[2]).toMatch(/^note: .* does not say whether it takes/);
    expect([...found, ...refused.found, ...silent.found].join()).not.toContain("hush");
  });

  it("says that the provider calls itself something else, or is not there", async () => {
    const issuer = await serve((_request, response) => response.writeHead(404).end());
    const set = (OIDC_ISSUER: string) =>
      configured({ OIDC_ISSUER, OIDC_CLIENT_ID: "gancho", OIDC_CLIENT_SECRET: "s" });
    expect(lines(await checkProvider(set(issuer)))).toEqual([
      expect.stringMatching(/^fails: single sign-on: .* answers 404, not 200$/),
    ]);
    expect(lines(await checkProvider(set("http://127.0.0.1:9")))).toEqual([
      "fails: single sign-on: http://127.0.0.1:9 cannot be reached: nothing listens there",
    ]);
  });

  it("signs in at the mail server and sends nothing", async () => {
    const server = await startMailServer();
    closing.push(server.close);
    const mail = (SMTP_URL: string) =>
      checkMail(configured({ SMTP_URL, MAIL_FROM: "gancho@example.com" })).then(lines);
    expect(await mail(server.url)).toEqual([
      "ok: mail: 127.0.0.1 takes mail from here; none was sent",
    ]);
    expect(server.mails).toEqual([]);
    expect(await mail("smtp://127.0.0.1:9")).toEqual([
      "fails: mail: 127.0.0.1 cannot be reached: nothing listens there",
    ]);
    expect(await mail("smtps://ana:hush@127.0.0.1:9")).toEqual([
      "fails: mail: 127.0.0.1 cannot be reached: nothing listens there",
    ]);
  });

  it("connects to the receiver of alerts without telling it of one", async () => {
    const asked: unknown[] = [];
    const url = await serve((request, response) => {
      asked.push(request.url);
      response.end();
    });
    const alerts = (ALERTS_URL: string) =>
      checkAlerts(
        configured({ ALERTS_URL, ALERTS_SECRET: `whsec_${randomBytes(32).toString("base64")}` }),
      ).then(lines);
    expect(await alerts(`${url}/in?key=hush`)).toEqual([
      "ok: alerts webhook: 127.0.0.1 is reached; nothing was sent",
    ]);
    expect(asked).toEqual([]);
    const authority = createTestAuthority();
    const secure = await serve(answering(200), authority.issue({ names: ["127.0.0.1"] }));
    expect((await alerts(secure))[0]).toMatch(
      /^fails: .* has a certificate that nobody vouches for/,
    );
  });
});

describe.skipIf(isPostgres)("the command", () => {
  const folder = () => mkdtempSync(path.join(tmpdir(), "gancho-test-"));
  const run = (set: Record<string, string>) =>
    runGancho(["check-config"], {
      NODE_ENV: "production",
      GANCHO_URL: "http://localhost:3000",
      GANCHO_DATA_DIR: folder(),
      PORT: "38917",
      ...secrets,
      ...set,
    });

  it("ends with 0 where all works, 3 where something it calls does not, 1 where it would not start", async () => {
    const url = await serve(answering(401));
    const DATABASE_URL = `file:${folder()}/gancho.db`;
    const right = { DATABASE_URL, PARTNER_API_ENVIRONMENTS: `live=${url}` };
    const good = await run(right);
    expect(good).toMatchObject({ code: 0, err: "" });
    expect(good.out).toContain("Nothing was found that would keep Gancho from working.");
    expect(existsSync(DATABASE_URL.slice("file:".length))).toBe(false);

    const unreachable = await run({
      ...right,
      PARTNER_API_ENVIRONMENTS: "live=http://127.0.0.1:9",
    });
    expect(unreachable.code).toBe(3);
    expect(unreachable.out).toMatch(/^FAIL {2}payment service live/m);

    const wrong = await run({ ...right, AUTH_SECRET: "hush", SMTP_URL: "hush-hush" });
    expect(wrong.code).toBe(1);
    expect(wrong.out).toMatch(/^FAIL {2}variables +AUTH_SECRET is too short/m);
    for (const { out, err } of [good, unreachable, wrong])
      for (const secret of ["hush", secrets.AUTH_SECRET, secrets.ENCRYPTION_KEYS.slice(3)])
        expect(out + err).not.toContain(secret);
  });
});
