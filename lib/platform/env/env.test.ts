import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { EnvironmentError, logLevel, parseEnv } from "./env";
import { secretVariables } from "./secret-files";

const key = () => randomBytes(32).toString("base64");

const sameKey = key();

const production = {
  GANCHO_URL: "https://gancho.example.com",
  DATABASE_URL: "postgres://gancho:hidden-pw@db/gancho",
  AUTH_SECRET: randomBytes(48).toString("base64"),
  ENCRYPTION_KEYS: `k2:${key()},k1:${key()}`,
  PARTNER_API_ENVIRONMENTS:
    "sandbox=http://127.0.0.1:4010/, production=https://api.example.com/pix/",
};

function problems(
  source: Record<string, string>,
  mode: "production" | "demo" | "development" = "production",
) {
  try {
    parseEnv(source, { mode });
    return [];
  } catch (error) {
    if (error instanceof EnvironmentError) return error.problems;
    throw error;
  }
}

it("does not run with certificates unverified (threat: NODE_TLS_REJECT_UNAUTHORIZED=0, and links mailed to a man in the middle)", () => {
  for (const mode of ["production", "development"] as const) {
    expect(problems({ ...production, NODE_TLS_REJECT_UNAUTHORIZED: "0" }, mode)).toEqual([
      expect.stringContaining("NODE_TLS_REJECT_UNAUTHORIZED"),
    ]);
    expect(problems({ ...production, NODE_TLS_REJECT_UNAUTHORIZED: "1" }, mode)).toEqual([]);
  }
});

it("reads a whole production configuration", () => {
  const env = parseEnv(production, { mode: "production" });
  expect(env.url.origin).toBe("https://gancho.example.com");
  expect([...env.environments]).toEqual([
    ["sandbox", "http://127.0.0.1:4010"],
    ["production", "https://api.example.com/pix"],
  ]);
  expect(env.encryptionKeys.map(({ id }) => id)).toEqual(["k2", "k1"]);
  expect(env).toMatchObject({
    port: 3000,
    host: null,
    allowPrivateTargets: false,
    trustedProxyHops: 0,
    oidc: null,
  });
});

it("reads every connection in the background unless configured otherwise", () => {
  const plans = (set: Record<string, string>) =>
    Object.fromEntries(parseEnv({ ...production, ...set }, { mode: "production" }).watch);
  const usual = { everyMs: 900_000, requestsPerSecond: 50, concurrency: 8 };
  expect(plans({})).toEqual({ sandbox: usual, production: usual });
  expect(plans({ WATCH_EVERY: "0" })).toEqual({});
  const own = { everyMs: 300_000, requestsPerSecond: 200, concurrency: 25 };
  expect(plans({ WATCH_EVERY: "5", WATCH_RATE: "200" })).toEqual({
    sandbox: own,
    production: own,
  });
  for (const WATCH_EVERY of ["-1", "1441", "2.5", "often", "production=5"])
    expect(problems({ ...production, WATCH_EVERY })).toEqual([
      "WATCH_EVERY is not a number of minutes: set 0 to 1440",
    ]);
  expect(problems({ ...production, WATCH_RATE: "0" })).toHaveLength(1);
});

it("takes a size of the pool and a time to stop, and gives people at a console none of the latter", () => {
  const parsed = (set: Record<string, string>, mode: "production" | "demo" = "production") =>
    parseEnv({ ...production, ...set }, { mode });
  expect(parsed({})).toMatchObject({ databasePoolSize: 20, stopGraceMs: 5_000 });
  expect(parsed({ GANCHO_URL: "http://localhost:3000" }, "demo").stopGraceMs).toBe(0);
  expect(parsed({ DATABASE_POOL_SIZE: "5", GANCHO_STOP_GRACE: "20" })).toMatchObject({
    databasePoolSize: 5,
    stopGraceMs: 20_000,
  });
  for (const DATABASE_POOL_SIZE of ["0", "1000", "many", "2.5"])
    expect(problems({ ...production, DATABASE_POOL_SIZE })).toEqual([
      expect.stringMatching(/^DATABASE_POOL_SIZE is not a number of connections: set 1 to 999/),
    ]);
  for (const GANCHO_STOP_GRACE of ["-1", "21", "5s"])
    expect(problems({ ...production, GANCHO_STOP_GRACE })).toEqual([
      "GANCHO_STOP_GRACE is not a number of seconds: set 0 to 20",
    ]);
});

it("offers metrics on a separate port, and takes a request's id from a trusted proxy", () => {
  const parsed = (set: Record<string, string>) => parseEnv({ ...production, ...set });
  expect(parsed({})).toMatchObject({ metrics: null, requestIdHeader: null });
  expect(parsed({ METRICS_PORT: "9464" }).metrics).toEqual({ host: "127.0.0.1", port: 9464 });
  expect(parsed({ METRICS_PORT: "192.0.2.2:9464" }).metrics?.host).toBe("192.0.2.2");
  expect(parsed({ METRICS_PORT: "[::]:9464" }).metrics).toEqual({ host: "::", port: 9464 });
  for (const METRICS_PORT of ["metrics:9464", "0", "192.0.2.2"])
    expect(problems({ ...production, METRICS_PORT })).toEqual([
      expect.stringMatching(/^METRICS_PORT is not a port: set 9464, or/),
    ]);
  for (const PORT of ["3000", ""])
    expect(problems({ ...production, PORT, METRICS_PORT: "3000" })).toEqual([
      expect.stringMatching(/^METRICS_PORT is the dashboard's own PORT/),
    ]);
  const header = { GANCHO_REQUEST_ID_HEADER: "X-Request-Id" };
  expect(parsed({ ...header, GANCHO_TRUSTED_PROXY: "1" }).requestIdHeader).toBe("x-request-id");
  for (const GANCHO_TRUSTED_PROXY of ["", "0"])
    expect(problems({ ...production, ...header, GANCHO_TRUSTED_PROXY })).toEqual([
      expect.stringMatching(/^GANCHO_REQUEST_ID_HEADER is set, and no proxy is trusted/),
    ]);
  expect(
    problems({ ...production, GANCHO_TRUSTED_PROXY: "1", GANCHO_REQUEST_ID_HEADER: "x: y" }),
  ).toEqual([expect.stringMatching(/^GANCHO_REQUEST_ID_HEADER is not the name of a header/)]);
});

it("keeps ended things for the configured days, and the history for good unless configured otherwise", () => {
  expect(parseEnv(production)).toMatchObject({
    retainDays: 90,
    retainHistoryDays: null,
  });
  const set = { RETAIN_DAYS: "7", RETAIN_HISTORY_DAYS: "1825" };
  expect(parseEnv({ ...production, ...set })).toMatchObject({
    retainDays: 7,
    retainHistoryDays: 1_825,
  });
  for (const RETAIN_HISTORY_DAYS of ["0", "6", "36501", "1y", "-90"])
    expect(problems({ ...production, RETAIN_HISTORY_DAYS })).toEqual([
      "RETAIN_HISTORY_DAYS is not a number of days: set 7 to 36500",
    ]);
});

it("listens on the configured address, but for others only with a public address (threat: the demo's passwords)", () => {
  const listening = (GANCHO_HOST: string, GANCHO_URL = production.GANCHO_URL) =>
    problems({ ...production, GANCHO_URL, GANCHO_HOST });
  for (const host of ["127.0.0.1", "0.0.0.0", "::"]) expect(listening(host)).toEqual([]);
  expect(listening("gancho")).toEqual([expect.stringMatching(/^GANCHO_HOST is not an IP address/)]);
  for (const host of ["127.0.0.1", "::1"])
    expect(listening(host, "http://localhost:3000")).toEqual([]);
  for (const host of ["0.0.0.0", "::", "192.0.2.2"])
    expect(listening(host, "http://localhost:3000")).toEqual([
      expect.stringMatching(/^GANCHO_HOST is open to others/),
    ]);
});

it("reports every problem at once, one line each, beginning with the variable's name", () => {
  const wrong = problems({
    PORT: "99999",
    GANCHO_URL: "http://gancho.example.com",
    DATABASE_URL: "mysql://x",
    AUTH_SECRET: "short",
    ENCRYPTION_KEYS: "k1:AAAA",
    PARTNER_API_ENVIRONMENTS: "production=http://api.example.com",
    REQUIRE_SECOND_FACTOR: "everybody",
    OIDC_ISSUER: "https://id.example.com",
    OIDC_CLIENT_ID: "x",
    GANCHO_ALLOW_PRIVATE_TARGETS: "yes",
    GANCHO_TRUSTED_PROXY: "all",
    GANCHO_PUBLIC_ADDRESS: "here",
    GANCHO_CHANGE_LIMIT: "none",
    LOG_LEVEL: "loud",
  });
  expect(wrong.map((line) => line.split(" ")[0])).toEqual([
    "GANCHO_URL",
    "PORT",
    "GANCHO_TRUSTED_PROXY",
    "DATABASE_URL",
    "AUTH_SECRET",
    "ENCRYPTION_KEYS",
    "PARTNER_API_ENVIRONMENTS",
    "GANCHO_PUBLIC_ADDRESS",
    "REQUIRE_SECOND_FACTOR",
    "LOG_LEVEL",
    "GANCHO_CHANGE_LIMIT",
    "GANCHO_ALLOW_PRIVATE_TARGETS",
    "OIDC_CLIENT_SECRET",
  ]);
  for (const line of wrong) expect(line).not.toContain("\n");
});

it("refuses to require passkeys where browsers make none", () => {
  const required = { REQUIRE_SECOND_FACTOR: "staff-passkey" };
  const fault = /^REQUIRE_SECOND_FACTOR cannot be met: passkeys need a host name/;
  for (const GANCHO_URL of ["http://127.0.0.1:3000", "http://[::1]:3000"])
    expect(problems({ ...required, GANCHO_URL })).toContainEqual(expect.stringMatching(fault));
  for (const GANCHO_URL of ["http://localhost:3000", "https://gancho.example.com"])
    expect(problems({ ...required, GANCHO_URL })).not.toContainEqual(expect.stringMatching(fault));
  expect(problems({ REQUIRE_SECOND_FACTOR: "some" })).toContainEqual(
    expect.stringMatching(/^REQUIRE_SECOND_FACTOR is not staff, admins or all/),
  );
});

it("names each variable that production cannot do without", () => {
  expect(problems({})).toEqual([
    expect.stringMatching(/^GANCHO_URL is missing: /),
    expect.stringMatching(/^DATABASE_URL is missing: /),
    expect.stringMatching(/^AUTH_SECRET is missing: /),
    expect.stringMatching(/^ENCRYPTION_KEYS is missing: /),
    expect.stringMatching(/^PARTNER_API_ENVIRONMENTS is missing: /),
  ]);
});

describe("which environments are production", () => {
  const productionOf = (names: string[], declared?: string) => {
    const addresses = names.map((name) => `${name}=https://${name}.example.com`);
    const set = { ...production, PARTNER_API_ENVIRONMENTS: addresses.join() };
    const env = parseEnv(declared === undefined ? set : { ...set, TEST_ENVIRONMENTS: declared });
    return [...env.productionEnvironments];
  };

  it.each(["production", "prod-eu", "live", "pix", "latest", "contest", "production-test", "lab"])(
    "is %s, which no name or declaration says is for trials (threat: a production that is called something else)",
    (name) => expect(productionOf([name])).toEqual([name]),
  );

  it.each(["sandbox", "sandbox-eu", "pix-test", "staging", "homolog", "teste"])(
    "is not %s, whose own name says so",
    (name) => expect(productionOf([name])).toEqual([]),
  );

  it("is whatever is not declared to be for trials, once that is declared", () => {
    const names = ["production", "sandbox", "lab"];
    expect(productionOf(names, "lab")).toEqual(["production", "sandbox"]);
    expect(productionOf(names, "sandbox, lab")).toEqual(["production"]);
  });

  it("is so on this machine too: what listens there may be a proxy to the service", () => {
    const loopback = { PARTNER_API_ENVIRONMENTS: "live=http://127.0.0.1:9000" };
    expect([...parseEnv({ ...production, ...loopback }).productionEnvironments]).toEqual(["live"]);
  });

  it("is not settled by a declaration about an environment that there is none of", () => {
    expect(problems({ ...production, TEST_ENVIRONMENTS: "sandbox,sandbx" })).toEqual([
      expect.stringMatching(/^TEST_ENVIRONMENTS names sandbx, which/),
    ]);
    expect(problems({ ...production, TEST_ENVIRONMENTS: "Sandbox" })).toEqual([
      expect.stringMatching(/^TEST_ENVIRONMENTS is not a list of environments/),
    ]);
  });
});

it("takes an empty variable for one that is not set", () => {
  expect(problems({ ...production, AUTH_SECRET: " " })).toEqual([
    expect.stringMatching(/^AUTH_SECRET is missing/),
  ]);
  expect(parseEnv({ ...production, PORT: "" }, { mode: "production" }).port).toBe(3000);
});

it.each([
  [
    "single sign-on",
    "OIDC_ISSUER",
    {
      OIDC_ISSUER: "https://id.example.com",
      OIDC_CLIENT_ID: "gancho",
      OIDC_CLIENT_SECRET: "s",
      OIDC_NAME: "Example ID",
    },
  ],
  ["mail", "SMTP_URL", { SMTP_URL: "smtp://127.0.0.1", MAIL_FROM: "gancho@example.com" }],
  [
    "the alerts webhook",
    "ALERTS_URL",
    { ALERTS_URL: "https://a.example", ALERTS_SECRET: `whsec_${key()}` },
  ],
  ["metrics", "METRICS_PORT", { METRICS_PORT: "10.0.0.1:9464" }],
])("switches %s off by an empty %s alone, as where .env sets it all", (_what, name, set) => {
  expect(problems({ ...production, ...set })).toEqual([]);
  expect(parseEnv({ ...production, ...set, [name]: "" }, { mode: "production" })).toEqual(
    parseEnv(production, { mode: "production" }),
  );
});

it.each([
  ["no address", "nonsense", "is not an address"],
  ["unencrypted, not this machine", "http://gancho.example.com", "is not encrypted"],
  ["with a path", "https://gancho.example.com/app", "has a path"],
  ["with a user", "https://me@gancho.example.com", "has a user name"],
  ["with a query", "https://gancho.example.com/?a=1", "has a query"],
  ["of another kind", "file:///etc/passwd", "is not an address"],
])("refuses a public address that is %s", (_what, GANCHO_URL, message) => {
  expect(problems({ ...production, GANCHO_URL })).toEqual([
    expect.stringContaining(`GANCHO_URL ${message}`),
  ]);
});

it.each(["http://localhost:3000", "http://127.0.0.1:3000", "http://[::1]:3000"])(
  "takes %s, because it is this machine itself",
  (GANCHO_URL) => {
    expect(problems({ ...production, GANCHO_URL })).toEqual([]);
  },
);

it.each([
  ["not encrypted", "live=http://api.example.com"],
  ["not encrypted, on a host that only sounds local", "live=http://localhost.example.com"],
  ["named twice", "live=https://a.example,live=https://b.example"],
  ["without a name", "https://a.example"],
  ["with a name that cannot stand in a path", "Li ve=https://a.example"],
  ["with a password", "live=https://a:b@a.example"],
])("refuses an environment %s", (_what, PARTNER_API_ENVIRONMENTS) => {
  expect(problems({ ...production, PARTNER_API_ENVIRONMENTS })).toEqual([
    expect.stringMatching(/^PARTNER_API_ENVIRONMENTS /),
  ]);
});

it.each([
  ["too few bytes", `k1:${randomBytes(31).toString("base64")}`, "has 31 bytes"],
  ["no Base64", `k1:${"!".repeat(44)}`, "is not Base64"],
  ["no id", key(), "is not id:base64"],
  ["an id twice", `k1:${key()},k1:${key()}`, "repeats the id k1"],
  ["a sample of zeros", `k1:${Buffer.alloc(32).toString("base64")}`, "is a sample"],
  ["words of the right length", `k1:${btoa("a sample key that somebody typed")}`, "is a sample"],
  ["00 01 02 …", `k1:${Buffer.from([...Array(32).keys()]).toString("base64")}`, "is a sample"],
  ["a command in a file that runs none", "k1:$(openssl rand -base64 32)", "is a command"],
  ["the same key twice", `k2:${sameKey},k1:${sameKey}`, "entry 2 repeats the key of k2"],
  [
    "the demo's key (threat: a key that others hold too)",
    `demo-1:${key()}`,
    "generated by the demo",
  ],
])("refuses encryption keys with %s", (_what, ENCRYPTION_KEYS, message) => {
  expect(problems({ ...production, ENCRYPTION_KEYS })).toEqual([expect.stringContaining(message)]);
});

it.each([
  ["31 bytes", "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p", "31 bytes"],
  ["a repeated character", "x".repeat(64), "repeats a few characters"],
  [
    "the demo's secret (threat: forged sessions)",
    `demo-${randomBytes(32).toString("base64")}`,
    "demo",
  ],
])("refuses an AUTH_SECRET of %s", (_what, AUTH_SECRET, message) => {
  expect(problems({ ...production, AUTH_SECRET })).toEqual([expect.stringContaining(message)]);
});

it("lets the demo use generated keys, and only on this machine", () => {
  const demo = {
    AUTH_SECRET: `demo-${randomBytes(32).toString("base64")}`,
    ENCRYPTION_KEYS: `demo-1:${key()}`,
  };
  expect(problems(demo, "demo")).toEqual([]);
  expect(problems({ ...demo, GANCHO_URL: "https://gancho.example.com" }, "demo")).toEqual([
    expect.stringContaining("GANCHO_URL is not this machine"),
  ]);
});

it("derives what the demo leaves out from the ports and the data folder", () => {
  const { AUTH_SECRET, ENCRYPTION_KEYS } = production;
  const env = parseEnv(
    { AUTH_SECRET, ENCRYPTION_KEYS, PORT: "3100", SANDBOX_PORT: "4100", GANCHO_DATA_DIR: "/tmp/x" },
    { mode: "demo" },
  );
  expect(env.url.origin).toBe("http://localhost:3100");
  expect(env.environments.get("sandbox")).toBe("http://127.0.0.1:4100");
  expect(env.databaseUrl.reveal()).toBe("file:/tmp/x/gancho.db");
});

it("is the demo only where its program says so, and production by default", () => {
  expect(problems({ ...production, ENCRYPTION_KEYS: `demo-1:${key()}` })).toHaveLength(1);
  expect(parseEnv({ ...production, NODE_ENV: "staging" }).mode).toBe("production");
  expect(parseEnv({ ...production, NODE_ENV: "development" }).mode).toBe("development");
  const local = { ...production, GANCHO_URL: "http://localhost:3000" };
  expect(parseEnv({ ...local, GANCHO_DEMO: "1" }).mode).toBe("demo");
});

it("prints no secret, neither of a good configuration nor in a complaint (threat: secrets in logs)", () => {
  const secrets = [
    "hidden-pw",
    production.AUTH_SECRET,
    production.ENCRYPTION_KEYS.slice(3, 40),
    "sso-secret",
  ];
  const set = {
    ...production,
    OIDC_ISSUER: "https://id.example.com",
    OIDC_CLIENT_ID: "gancho",
    OIDC_CLIENT_SECRET: "sso-secret",
  };
  const env = parseEnv(set, { mode: "production" });
  const complaints = problems({
    ...set,
    DATABASE_URL: "mysql://gancho:hidden-pw@db/gancho",
    AUTH_SECRET: production.AUTH_SECRET.slice(0, 20),
    ENCRYPTION_KEYS: production.ENCRYPTION_KEYS.slice(0, 40),
    OIDC_CLIENT_ID: "",
  });
  expect(complaints).toHaveLength(4);
  for (const text of [inspect(env, { depth: 9 }), JSON.stringify(env), complaints.join()])
    for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 20));
});

it("logs at the level that is set, or at info", () => {
  expect(logLevel({ LOG_LEVEL: "warn" })).toBe("warn");
  expect(logLevel({ LOG_LEVEL: "loud" })).toBe("info");
});

it("sends mail only where both the server and the sender are set", () => {
  const smtp = { SMTP_URL: "smtps://gancho:hidden-pw@mail.example.com:465" };
  const from = { MAIL_FROM: "Gancho <gancho@example.com>" };
  expect(parseEnv(production, { mode: "production" }).mail).toBeNull();
  expect(parseEnv({ ...production, ...smtp, ...from }, { mode: "production" }).mail?.from).toBe(
    from.MAIL_FROM,
  );
  expect(problems({ ...production, ...smtp })).toEqual([
    "MAIL_FROM is missing: sending mail needs SMTP_URL and MAIL_FROM; set both or none",
  ]);
  const wrong = problems({ ...production, SMTP_URL: "hidden-pw@mail", MAIL_FROM: "a@b\nBcc: c@d" });
  expect(wrong.map((problem) => problem.split(" ")[0])).toEqual(["SMTP_URL", "MAIL_FROM"]);
  expect(wrong.join()).not.toContain("hidden-pw");
});

it("sends alerts to operators only where both the address and the signing key are set", () => {
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  const url = "https://alerts.example.com/in?key=hidden-pw";
  const set = (ALERTS_URL: string, ALERTS_SECRET = secret) =>
    problems({ ...production, ALERTS_URL, ALERTS_SECRET });
  expect(parseEnv(production, { mode: "production" }).alertsWebhook).toBeNull();
  expect([set(url), set("http://127.0.0.1:8080/in")]).toEqual([[], []]);
  expect(problems({ ...production, ALERTS_URL: url })).toEqual([
    "ALERTS_SECRET is missing: sending alerts needs ALERTS_URL and ALERTS_SECRET; set both or none",
  ]);
  expect(set("http://alerts.example.com/hidden-pw")).toEqual([
    "ALERTS_URL is not encrypted: use https:// (http:// is only for this machine itself)",
  ]);
  for (const wrong of [
    "alerts.example.com",
    "ftp://a.example",
    "https://ana:pw@a.example",
    `${url}#x`,
  ])
    expect(set(wrong).join()).toMatch(/^ALERTS_URL (is not an address|has a )/);
  for (const wrong of [
    "hidden-pw",
    `whsec_${randomBytes(23).toString("base64")}`,
    `whsec_${randomBytes(65).toString("base64")}`,
    `${secret}!`,
    secret.slice("whsec_".length),
  ])
    expect(set(url, wrong)).toEqual([
      'ALERTS_SECRET is not whsec_ and 24 to 64 random bytes in base64: set what this prints: echo "whsec_$(openssl rand -base64 32)"',
    ]);
  const parsed = parseEnv(
    { ...production, ALERTS_URL: url, ALERTS_SECRET: secret },
    { mode: "production" },
  );
  expect(`${inspect(parsed)} ${JSON.stringify(parsed)}`).not.toMatch(/hidden-pw|whsec_/);
});

it("takes one contact for reports of vulnerabilities, and nothing that could add a line to what is published", () => {
  const contact = (SECURITY_CONTACT: string) => problems({ ...production, SECURITY_CONTACT });
  expect(parseEnv(production, { mode: "production" }).securityContact).toBeNull();
  for (const right of ["mailto:security@example.com", "https://example.com/security?to=gancho"])
    expect(contact(right)).toEqual([]);
  for (const wrong of [
    "security@example.com",
    "http://example.com/security",
    "https://ana:pw@example.com/",
    "mailto:security",
    "mailto:security@example.com\nContact: mailto:thief@evil.example",
    "https://example.com/a b",
  ])
    expect(contact(wrong), wrong).toEqual([
      "SECURITY_CONTACT is not a contact: set https://example.com/security or mailto:security@example.com",
    ]);
});

const singleSignOn = {
  OIDC_ISSUER: "https://id.example.com/realms/pix/",
  OIDC_CLIENT_ID: "gancho",
  OIDC_CLIENT_SECRET: "sso-secret",
};

const mailAndAlerts = {
  SMTP_URL: "smtps://gancho:hidden-pw@mail.example.com",
  MAIL_FROM: "gancho@example.com",
  ALERTS_URL: "https://alerts.example.com/in",
  ALERTS_SECRET: `whsec_${key()}`,
  EGRESS_PROXY: "http://me:hidden-pw@proxy.example:4750",
};

it("keeps the issuer as it is written, and lets no claim make staff unless configured", () => {
  expect(parseEnv({ ...production, ...singleSignOn }).oidc).toMatchObject({
    issuer: "https://id.example.com/realms/pix/",
    scope: "openid email",
    staff: null,
  });
});

it("takes a claim that makes people staff with both of its values", () => {
  const staffBy = (OIDC_STAFF_CLAIM: string) => ({
    ...production,
    ...singleSignOn,
    OIDC_STAFF_CLAIM,
  });
  for (const wrong of ["groups", "groups=s", "groups=s,", "=s,o", "groups=s,o,x"])
    expect(problems(staffBy(wrong))).toEqual([
      expect.stringMatching(/^OIDC_STAFF_CLAIM is not a claim with its two values: set it like/),
    ]);
  expect(parseEnv(staffBy("https://x.example/groups=s, o")).oidc?.staff).toEqual({
    name: "https://x.example/groups",
    support: "s",
    operator: "o",
  });
});

it("trusts a provider without TLS on this machine only, and only where nobody else comes (threat: another user of a local port)", () => {
  const local = { ...production, ...singleSignOn, OIDC_ISSUER: "http://127.0.0.1:9000" };
  expect(problems(local)).toEqual([expect.stringMatching(/^OIDC_ISSUER is not encrypted/)]);
  expect(problems({ ...local, GANCHO_URL: "http://localhost:3000" })).toEqual([]);
  expect(problems({ ...local, OIDC_ISSUER: "http://id.example.com" })).toHaveLength(1);
});

it("takes where endpoint checks may not go and how they leave, and allows them by default", () => {
  const parsed = (set: Record<string, string>) => parseEnv({ ...production, ...set });
  expect(parsed({})).toMatchObject({ endpointChecks: "daily", egressDeny: [], egressProxy: null });
  expect(
    parsed({
      ENDPOINT_CHECKS: "off",
      EGRESS_DENY: "intranet.example, 198.51.100.0/24,2001:db8::1",
      EGRESS_PROXY: "http://me:p%40ss@proxy.example:4750",
    }),
  ).toMatchObject({
    endpointChecks: "off",
    egressDeny: ["intranet.example", "198.51.100.0/24", "2001:db8::1"],
    egressProxy: { host: "proxy.example", port: 4750 },
  });
  const proxy = parsed({ EGRESS_PROXY: "http://me:p%40ss@[2001:db8::1]" }).egressProxy;
  expect(proxy?.authorization?.reveal()).toBe(`Basic ${btoa("me:p@ss")}`);
  expect(proxy).toMatchObject({ host: "2001:db8::1", port: 80 });
  expect(problems({ ...production, ENDPOINT_CHECKS: "always" })).toEqual([
    expect.stringMatching(/^ENDPOINT_CHECKS is not off, manual or daily/),
  ]);
  for (const EGRESS_DENY of [
    "10.0.0.0/33",
    "::/129",
    "a b",
    "https://x.example",
    "x,,y",
    "1.2.3.4/",
  ])
    expect(problems({ ...production, EGRESS_DENY })).toEqual([
      expect.stringMatching(/^EGRESS_DENY is not a list of hosts/),
    ]);
  for (const EGRESS_PROXY of [
    "https://p.example",
    "p.example:1",
    "http://p.example/x",
    "http://a:%@b",
  ])
    expect(problems({ ...production, EGRESS_PROXY })).toEqual([
      expect.stringMatching(/^EGRESS_PROXY is not a proxy/),
    ]);
});

describe("secrets in files", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
  const file = (content: string, name = randomBytes(6).toString("hex")) => {
    const at = path.join(folder, name);
    writeFileSync(at, content);
    return at;
  };
  const without = (...names: (keyof typeof production)[]) =>
    Object.fromEntries(
      Object.entries(production).filter(([name]) => !names.includes(name as never)),
    );

  it("reads every secret from the file that NAME_FILE names, without the line break at its end", () => {
    const values: Record<(typeof secretVariables)[number], string> = {
      DATABASE_URL: production.DATABASE_URL,
      AUTH_SECRET: production.AUTH_SECRET,
      ENCRYPTION_KEYS: production.ENCRYPTION_KEYS,
      OIDC_CLIENT_SECRET: "sso-secret",
      SMTP_URL: "smtps://gancho:hidden-pw@mail.example.com",
      ALERTS_URL: "https://alerts.example.com/in",
      ALERTS_SECRET: `whsec_${key()}`,
      EGRESS_PROXY: "http://me:hidden-pw@proxy.example:4750",
    };
    const others = {
      ...without("DATABASE_URL", "AUTH_SECRET", "ENCRYPTION_KEYS"),
      OIDC_ISSUER: "https://id.example.com",
      OIDC_CLIENT_ID: "gancho",
      MAIL_FROM: "gancho@example.com",
    };
    for (const end of ["", "\n", "\r\n"]) {
      const files = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [`${name}_FILE`, file(value + end)]),
      );
      const env = parseEnv({ ...others, ...files }, { mode: "production" });
      expect({
        DATABASE_URL: env.databaseUrl.reveal(),
        AUTH_SECRET: env.authSecret.reveal(),
        ENCRYPTION_KEYS: env.encryptionKeys.map(({ id, key }) => `${id}:${key.reveal()}`).join(),
        OIDC_CLIENT_SECRET: env.oidc?.clientSecret.reveal(),
        SMTP_URL: env.mail?.url.reveal(),
        ALERTS_URL: env.alertsWebhook?.url.reveal(),
        ALERTS_SECRET: env.alertsWebhook?.secret.reveal(),
        EGRESS_PROXY: `http://${atob(env.egressProxy?.authorization?.reveal().slice(6) ?? "")}@${env.egressProxy?.host}:${env.egressProxy?.port}`,
      }).toEqual(values);
    }
  });

  it("refuses a value beside a file: one of the two would be used without a word", () => {
    const AUTH_SECRET_FILE = file(`hidden-${key()}`);
    expect(problems({ ...production, AUTH_SECRET_FILE })).toEqual([
      "AUTH_SECRET and AUTH_SECRET_FILE are both set: leave one of them out",
    ]);
    expect(problems({ ...production, AUTH_SECRET: " ", AUTH_SECRET_FILE })).toEqual([]);
    expect(problems({ ...production, AUTH_SECRET_FILE: " " })).toEqual([]);
  });

  it("names the variable and the path of what cannot be read, once, and never the content (threat: secrets in logs)", () => {
    const unreadable = file("hidden-pw");
    chmodSync(unreadable, 0o000);
    const reported = (SMTP_URL_FILE: string) =>
      problems({ ...production, MAIL_FROM: "gancho@example.com", SMTP_URL_FILE });
    const gone = path.join(folder, "gone");
    expect(reported(gone)).toEqual([
      `SMTP_URL_FILE names ${gone}, which is not there: set the path of a file`,
    ]);
    expect(reported(folder)).toEqual([
      `SMTP_URL_FILE names ${folder}, which is a folder: set the path of a file`,
    ]);
    expect(reported(file("\n"))).toEqual([
      expect.stringMatching(/^SMTP_URL_FILE names .*, which is empty/),
    ]);
    expect(reported(file("x".repeat(70_000)))).toEqual([
      expect.stringMatching(/^SMTP_URL_FILE names .*, which is larger than 64 KiB/),
    ]);
    if (process.getuid?.() !== 0)
      expect(reported(unreadable)).toEqual([
        `SMTP_URL_FILE names ${unreadable}, which this user may not read: check its owner and permissions`,
      ]);
    const wrong = reported(file("hidden-pw@mail"));
    expect(wrong).toEqual([expect.stringMatching(/^SMTP_URL is not a mail server/)]);
    expect(wrong.join()).not.toContain("hidden-pw");
  });

  it("knows every variable with a secret value", () => {
    const needed = { ...production, ...singleSignOn, ...mailAndAlerts };
    const env = parseEnv(needed, { mode: "production" });
    const printed = inspect(env, { depth: 9, showHidden: false });
    // What the configuration wraps as a secret prints as [secret]: as many as there are variables, and a key for each id.
    expect(printed.match(/\[secret\]/g)).toHaveLength(
      secretVariables.length - 1 + env.encryptionKeys.length,
    );
  });
});

it("refuses a scope without the e-mail address", () => {
  expect(problems({ ...production, ...singleSignOn, OIDC_SCOPE: "openid profile" })).toEqual([
    expect.stringMatching(/^OIDC_SCOPE leaves out openid or email/),
  ]);
});

it("has no key in what is published, so that nobody can start with one that all have (threat: a sample key)", () => {
  const folder = new URL("../../../docs/decisions/", import.meta.url);
  const texts = [
    new URL("../../../.env.example", import.meta.url),
    new URL("../../../README.md", import.meta.url),
    new URL("../../../docs/operate.md", import.meta.url),
    ...readdirSync(folder).map((name) => new URL(name, folder)),
  ].map((file) => readFileSync(file, "utf8"));
  const usable = texts
    .flatMap((text) => text.match(/[A-Za-z0-9+/_-]{43}=?/g) ?? [])
    .filter((word) => problems({ ...production, ENCRYPTION_KEYS: `k1:${word}` }).length === 0);
  expect(usable).toEqual([]);
});
