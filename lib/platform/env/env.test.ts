import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { Secret } from "@/lib/platform/runtime/secret";
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

type Set = Record<string, string>;
const parsed = (set: Set = {}) => parseEnv({ ...production, ...set });

const singleSignOn = {
  OIDC_ISSUER: "https://id.example.com/realms/pix/",
  OIDC_CLIENT_ID: "gancho",
  OIDC_CLIENT_SECRET: "sso-secret",
};
const partnerClaim = { OIDC_PARTNER_CLAIM: "groups=pix-{partner}-{role}" };
const alertsSecret = `whsec_${key()}`;
const mailAndAlerts = {
  SMTP_URL: "smtps://gancho:hidden-pw@mail.example.com",
  MAIL_FROM: "Gancho <gancho@example.com>",
  ALERTS_URL: "https://alerts.example.com/in?key=hidden-pw",
  ALERTS_SECRET: alertsSecret,
  OUTBOUND_PROXY: "http://me:hidden-pw@proxy.example:3128",
  EGRESS_PROXY: "http://me:hidden-pw@proxy.example:4750",
};
const local = { GANCHO_URL: "http://localhost:3000" };

it("reads a whole production configuration, and fills in the defaults", () => {
  const env = parsed();
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
    mail: null,
    alertsWebhook: null,
    securityContact: null,
    metrics: null,
    watchEveryMs: 900_000,
    retainDays: 90,
    retainHistoryDays: null,
    endpointChecks: "daily",
    captureAt: new URL("https://gancho.example.com"),
    receiverNote: null,
    egressDeny: [],
    egressProxy: null,
  });
});

it.each<[Set, object]>([
  [{ PORT: "" }, { port: 3000 }],
  [{ WATCH_EVERY: "0" }, { watchEveryMs: null }],
  [{ WATCH_EVERY: "5" }, { watchEveryMs: 300_000 }],
  [{ METRICS_PORT: "9464" }, { metrics: { host: "127.0.0.1", port: 9464 } }],
  [{ METRICS_PORT: "192.0.2.2:9464" }, { metrics: { host: "192.0.2.2", port: 9464 } }],
  [
    { RETAIN_DAYS: "7", RETAIN_HISTORY_DAYS: "1825" },
    { retainDays: 7, retainHistoryDays: 1_825 },
  ],
  [{ GANCHO_HOST: "0.0.0.0" }, { host: "0.0.0.0" }],
  [{ ...local, GANCHO_HOST: "::1" }, { host: "::1" }],
  [{ GANCHO_URL: "http://127.0.0.1:3000" }, {}],
  // Decoded once, as the driver does.
  [{ DATABASE_URL: "postgres://u:100%25@127.0.0.1/g?host=%25ff&sslmode=disable" }, {}],
  // It may be a proxy to the service.
  [
    { PARTNER_API_ENVIRONMENTS: "live=http://127.0.0.1:9000" },
    { productionEnvironments: new Set(["live"]) },
  ],
  [mailAndAlerts, { mail: { from: "Gancho <gancho@example.com>" } }],
  [{ SECURITY_CONTACT: "mailto:security@example.com" }, {}],
  [{ SECURITY_CONTACT: "https://example.com/security?to=gancho" }, {}],
  [singleSignOn, { oidc: { issuer: singleSignOn.OIDC_ISSUER, staff: null } }],
  [
    { ...singleSignOn, OIDC_STAFF_CLAIM: "https://x.example/groups=s, o" },
    { oidc: { staff: { name: "https://x.example/groups", support: "s", operator: "o" } } },
  ],
  [
    { ...singleSignOn, OIDC_PARTNER_CLAIM: "https://x.example/groups=pix-{partner}-{role}" },
    {
      oidc: {
        partners: { name: "https://x.example/groups", before: "pix-", between: "-", after: "" },
      },
    },
  ],
  [{ ...singleSignOn, ...partnerClaim, SIGN_IN: "provider" }, { oidc: { isOnlyWay: true } }],
  // A provider without TLS, where both it and the dashboard are on this machine.
  [{ ...singleSignOn, ...local, OIDC_ISSUER: "http://127.0.0.1:9000" }, {}],
  [
    { ENDPOINT_CHECKS: "off", EGRESS_DENY: "intranet.example, 198.51.100.0/24,2001:db8::1" },
    { endpointChecks: "off", egressDeny: ["intranet.example", "198.51.100.0/24", "2001:db8::1"] },
  ],
  [{ CAPTURE: "off" }, { captureAt: null }],
  [
    { CAPTURE: "https://in.example.com:8443" },
    { captureAt: new URL("https://in.example.com:8443") },
  ],
  // The payment service registers no http address.
  [local, { captureAt: null }],
  [
    { EGRESS_PROXY: "http://me:p%40ss@proxy.example:4750" },
    { egressProxy: { host: "proxy.example", port: 4750 } },
  ],
  [{ EGRESS_PROXY: "http://[2001:db8::1]" }, { egressProxy: { host: "2001:db8::1", port: 80 } }],
  [
    { OUTBOUND_PROXY: "http://proxy.example:3128", OUTBOUND_DIRECT: ".intra.example,10.0.0.0/8" },
    {
      outboundProxy: { host: "proxy.example", port: 3128, authorization: null },
      outboundDirect: [".intra.example", "10.0.0.0/8"],
      egressProxy: { host: "proxy.example", port: 3128 },
    },
  ],
])("takes %j", (set, expected) => {
  expect(problems({ ...production, ...set })).toEqual([]);
  expect(parsed(set)).toMatchObject(expected);
});

it("has endpoint checks leave through their own proxy, where there is one", () => {
  const both = parsed({
    OUTBOUND_PROXY: "http://out.example:1",
    EGRESS_PROXY: "http://own.example:2",
  });
  expect([both.outboundProxy?.host, both.egressProxy?.host]).toEqual([
    "out.example",
    "own.example",
  ]);
});

it("sends a proxy the name and password of its address", () => {
  const { egressProxy } = parsed({ EGRESS_PROXY: "http://me:p%40ss@proxy.example" });
  expect(egressProxy?.authorization?.reveal()).toBe(`Basic ${btoa("me:p@ss")}`);
});

const b64 = (bytes: number) => randomBytes(bytes).toString("base64");
/** Each alone, and what the complaint about it says. */
const refused: Record<string, [complaint: string, ...values: string[]][]> = {
  // Links would be mailed to a man in the middle.
  NODE_TLS_REJECT_UNAUTHORIZED: [["", "0"]],
  WATCH_EVERY: [
    [" is not a number of minutes: set 0 to 1440", "-1", "1441", "2.5", "often", "production=5"],
  ],
  METRICS_PORT: [
    [" is not a port: set 9464, or", "metrics:9464", "0", "192.0.2.2"],
    [" is the dashboard's own PORT", "3000"],
  ],
  RETAIN_HISTORY_DAYS: [
    [" is not a number of days: set 7 to 36500", "0", "6", "36501", "1y", "-90"],
  ],
  GANCHO_HOST: [[" is not an IP address", "gancho"]],
  REQUIRE_FOUR_EYES: [[" is not production", "all"]],
  DEFAULT_LOCALE: [[" is not en or pt-BR", "pt"]],
  MAIL_TIME_ZONE: [[" is not a time zone", "Brasilia"]],
  AUDIT_LOG: [[" is not full", "1"]],
  REQUIRE_SECOND_FACTOR: [[" is not staff, admins or all", "some"]],
  TEST_ENVIRONMENTS: [
    [" names sandbx, which", "sandbox,sandbx"],
    [" is not a list of environments", "Sandbox"],
  ],
  GANCHO_URL: [
    [" is not an address", "nonsense", "file:///etc/passwd"],
    [" is not encrypted", "http://gancho.example.com"],
    [" has a path", "https://gancho.example.com/app"],
    [" has a user name", "https://me@gancho.example.com"],
    [" has a query", "https://gancho.example.com/?a=1"],
  ],
  PARTNER_API_ENVIRONMENTS: [
    [
      " ",
      "live=http://api.example.com",
      "live=http://localhost.example.com",
      "live=https://a.example,live=https://b.example",
      "https://a.example",
      "Li ve=https://a.example",
      "live=https://a:b@a.example",
    ],
  ],
  ENCRYPTION_KEYS: [
    [" has 31 bytes", `k1:${b64(31)}`],
    [" is not Base64", `k1:${"!".repeat(44)}`],
    [" is not id:base64", key()],
    [" repeats the id k1", `k1:${key()},k1:${key()}`],
    ["entry 2 repeats the key of k2", `k2:${sameKey},k1:${sameKey}`],
    [
      " is a sample",
      `k1:${Buffer.alloc(32).toString("base64")}`,
      `k1:${btoa("a sample key that somebody typed")}`,
      `k1:${Buffer.from([...Array(32).keys()]).toString("base64")}`,
    ],
    [" is a command", "k1:$(openssl rand -base64 32)"],
    // Threat: a key that others hold too.
    ["generated by the demo", `demo-1:${key()}`],
  ],
  AUTH_SECRET: [
    [" is missing", " "],
    ["31 bytes", "a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p"],
    [" repeats a few characters", "x".repeat(64)],
    // Threat: forged sessions.
    ["demo", `demo-${b64(32)}`],
  ],
  // Nothing may add a line to what is published.
  SECURITY_CONTACT: [
    [
      " is not a contact: set https://example.com/security or mailto:security@example.com",
      "security@example.com",
      "http://example.com/security",
      "https://ana:pw@example.com/",
      "mailto:security",
      "mailto:security@example.com\nContact: mailto:thief@evil.example",
      "https://example.com/a b",
    ],
  ],
  PORT: [["", "99999"]],
  DATABASE_URL: [
    ["", "mysql://x"],
    // Nothing weakens TLS in silence.
    [
      " an sslmode that is neither verify-full nor disable",
      "postgres://db.example/g?sslmode=no-verify",
      "postgres://db.example/g?sslmode=require",
      "postgres://127.0.0.1/g?host=db.example&sslmode=prefer",
    ],
    [" ssl in it: leave it out", "postgres://db.example/g?ssl=0"],
    [
      " a file in sslrootcert that cannot be read",
      "postgres://db.example/g?sslrootcert=/nowhere",
      "postgres://db.example/g?sslrootcert=/",
    ],
    [" has a % that begins no escape", "postgres://u:%ff@db.example/g", "postgres://db%ff/g"],
    // What is printed or called would be a part of the password.
    [
      " an @ where none belongs: in a user name or password write @ as %40, / as %2F, ? as %3F and # as %23",
      "postgres://u:p@ss@db.example/g",
      "postgres://u:p@ss#word@db.example/g",
      "postgres://u:12/w@db.example/g",
      "postgres://u:12?w@db.example/g",
    ],
    // What .env leaves of "postgres://u:p@ss#word@db.example/g".
    [" names no database", "postgres://u:p@ss", "postgres://u:p@ss/"],
    [" sslrootcert in it, and TLS is off", "postgres://db.example/g?sslmode=disable&sslrootcert=/"],
  ],
  RECEIVER_NOTE: [
    [" is longer than 600 characters", "x".repeat(601)],
    [" has a line break or a hidden character", "From 203.0.113.7\nand 203.0.113.8", "a\u200bb"],
  ],
  GANCHO_ALLOW_PRIVATE_TARGETS: [["", "yes"]],
  GANCHO_TRUSTED_PROXY: [["", "all"]],
  GANCHO_PUBLIC_ADDRESS: [["", "here"]],
  GANCHO_CHANGE_LIMIT: [["", "none"]],
  LOG_LEVEL: [["", "loud"]],
  CAPTURE: [
    [
      " is not an https address without a path",
      "on",
      "http://in.example.com",
      "https://in.example.com/in",
      "https://me@in.example.com",
      `https://${"long.".repeat(40)}example.com`,
    ],
  ],
  ENDPOINT_CHECKS: [[" is not off, manual or daily", "always"]],
  EGRESS_DENY: [
    [
      " is not a list of hosts",
      "10.0.0.0/33",
      "::/129",
      "a b",
      "https://x.example",
      "x,,y",
      "1.2.3.4/",
    ],
  ],
  OUTBOUND_DIRECT: [[" is not a list of hosts", "10.0.0.0/33", "*.example", "."]],
  OUTBOUND_PROXY: [[" is not a proxy", "https://p.example", "socks5://p.example:1080"]],
  EGRESS_PROXY: [
    [" an @ where none belongs", "http://me:p@ss@proxy.example:4750"],
    [" is not a proxy", "https://p.example", "p.example:1", "http://p.example/x"],
    [" has a % that begins no escape", "http://a:%@b", "http://a:%ff@b"],
  ],
};
it.each(Object.entries(refused))("refuses a wrong %s, and says what is wrong", (name, rows) => {
  for (const [complaint, ...values] of rows)
    for (const value of values) {
      const [line = "nothing", ...more] = problems({ ...production, [name]: value });
      expect([line.split(" ")[0], more]).toEqual([name, []]);
      expect(line).toContain(complaint);
    }
});

it.each<[Set, string]>([
  // The demo's passwords are public.
  [{ ...local, GANCHO_HOST: "::" }, "GANCHO_HOST is open to others"],
  [{ ...local, GANCHO_HOST: "192.0.2.2" }, "GANCHO_HOST is open to others"],
  [{ PORT: "3100", METRICS_PORT: "3100" }, "METRICS_PORT is the dashboard's own PORT"],
  ...["http://127.0.0.1:3000", "http://[::1]:3000"].map((GANCHO_URL): [Set, string] => [
    { GANCHO_URL, REQUIRE_SECOND_FACTOR: "staff-passkey" },
    "REQUIRE_SECOND_FACTOR cannot be met: passkeys need a host name",
  ]),
  [
    { SMTP_URL: mailAndAlerts.SMTP_URL },
    "MAIL_FROM is missing: sending mail needs SMTP_URL and MAIL_FROM; set both or none",
  ],
  [
    { ...mailAndAlerts, SMTP_URL: "smtp://u:100%hidden-pw@mail.example.com" },
    "SMTP_URL has a % that begins no escape: write one that is part of a password as %25",
  ],
  ...["smtp://u:hidden-pw@2@mail.example", "smtp://u:12/hidden-pw@mail.example"].map(
    (SMTP_URL): [Set, string] => [
      { ...mailAndAlerts, SMTP_URL },
      "SMTP_URL has an @ where none belongs: in a user name or password write @ as %40",
    ],
  ),
  [{ ...mailAndAlerts, SMTP_URL: "smtp://u:12/hidden-pw" }, "SMTP_URL is not a mail server"],
  [
    { ALERTS_URL: mailAndAlerts.ALERTS_URL },
    "ALERTS_SECRET is missing: sending alerts needs ALERTS_URL and ALERTS_SECRET; set both or none",
  ],
  [
    { ...mailAndAlerts, ALERTS_URL: "http://alerts.example.com/hidden-pw" },
    "ALERTS_URL is not encrypted: use https:// (http:// is only for this machine itself)",
  ],
  ...["alerts.example.com", "ftp://a.example"].map((ALERTS_URL): [Set, string] => [
    { ...mailAndAlerts, ALERTS_URL },
    "ALERTS_URL is not an address",
  ]),
  ...["https://ana:pw@a.example", "https://a.example/#x"].map((ALERTS_URL): [Set, string] => [
    { ...mailAndAlerts, ALERTS_URL },
    "ALERTS_URL has a ",
  ]),
  ...[
    "hidden-pw",
    `whsec_${b64(23)}`,
    `whsec_${b64(65)}`,
    `${alertsSecret}!`,
    alertsSecret.slice("whsec_".length),
  ].map((ALERTS_SECRET): [Set, string] => [
    { ...mailAndAlerts, ALERTS_SECRET },
    'ALERTS_SECRET is not whsec_ and 24 to 64 random bytes in base64: set what this prints: echo "whsec_$(openssl rand -base64 32)"',
  ]),
  ...["groups", "groups=s", "groups=s,", "=s,o", "groups=s,o,x"].map(
    (OIDC_STAFF_CLAIM): [Set, string] => [
      { ...singleSignOn, OIDC_STAFF_CLAIM },
      "OIDC_STAFF_CLAIM is not a claim with its two values: set it like",
    ],
  ),
  ...[
    "groups",
    "groups=pix",
    "groups={partner}{role}",
    "groups={role}-{partner}",
    "={partner}-{role}",
  ].map((OIDC_PARTNER_CLAIM): [Set, string] => [
    { ...singleSignOn, OIDC_PARTNER_CLAIM },
    "OIDC_PARTNER_CLAIM is not a claim with the form of its values: set it like",
  ]),
  [{ ...partnerClaim, ...singleSignOn, SIGN_IN: "password" }, "SIGN_IN is not provider"],
  [{ ...singleSignOn, SIGN_IN: "provider" }, "OIDC_PARTNER_CLAIM is missing: SIGN_IN=provider"],
  [
    { ...singleSignOn, ...partnerClaim, SIGN_IN: "provider", REQUIRE_SECOND_FACTOR: "all" },
    "REQUIRE_SECOND_FACTOR does nothing with SIGN_IN=provider",
  ],
  // Another user of this machine could listen on the port.
  [{ ...singleSignOn, OIDC_ISSUER: "http://127.0.0.1:9000" }, "OIDC_ISSUER is not encrypted"],
  [{ ...singleSignOn, ...local, OIDC_ISSUER: "http://id.example.com" }, "OIDC_ISSUER "],
])("refuses %j together, and repeats nothing secret: %s", (set, complaint) => {
  const [line = "nothing", ...more] = problems({ ...production, ...set });
  expect([line.slice(0, complaint.length), more]).toEqual([complaint, []]);
  expect(line).not.toContain("hidden-pw");
});

it.each<[production: string[], others: string[], declared?: string]>([
  // Threat: a production that is called something else.
  [["production", "prod-eu", "live", "pix", "latest", "contest", "production-test", "lab"], []],
  [[], ["sandbox", "sandbox-eu", "pix-test", "staging", "homolog", "teste"]],
  // Once environments are declared to be for trials, all others are production.
  [["production", "sandbox"], ["lab"], "lab"],
  [["production"], ["sandbox", "lab"], "sandbox, lab"],
])("counts %j as production, and not %j where %s is declared", (names, others, declared) => {
  const addresses = [...names, ...others].map((name) => `${name}=https://${name}.example.com`);
  const set = { PARTNER_API_ENVIRONMENTS: addresses.join() };
  const env = parsed(declared === undefined ? set : { ...set, TEST_ENVIRONMENTS: declared });
  expect([...env.productionEnvironments]).toEqual(names);
});

it.each([
  ["single sign-on", "OIDC_ISSUER", { ...singleSignOn, OIDC_NAME: "Example ID" }],
  ["mail", "SMTP_URL", { SMTP_URL: "smtp://127.0.0.1", MAIL_FROM: "gancho@example.com" }],
  [
    "the alerts webhook",
    "ALERTS_URL",
    { ALERTS_URL: "https://a.example", ALERTS_SECRET: `whsec_${key()}` },
  ],
  ["metrics", "METRICS_PORT", { METRICS_PORT: "10.0.0.1:9464" }],
])("switches %s off by an empty %s alone, although .env sets the rest", (_what, name, set) => {
  expect(problems({ ...production, ...set })).toEqual([]);
  expect(parseEnv({ ...production, ...set, [name]: "" }, { mode: "production" })).toEqual(
    parseEnv(production, { mode: "production" }),
  );
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
  expect(parseEnv({ ...production, ...local, GANCHO_DEMO: "1" }).mode).toBe("demo");
});

it("prints no secret, neither of a good configuration nor in a complaint (threat: secrets in logs)", () => {
  const secrets = [
    "hidden-pw",
    production.AUTH_SECRET,
    production.ENCRYPTION_KEYS.slice(3, 40),
    "sso-secret",
  ];
  const set = { ...production, ...singleSignOn };
  const env = parseEnv(set, { mode: "production" });
  const complaints = problems({
    ...set,
    DATABASE_URL: "mysql://gancho:hidden-pw@db/gancho",
    AUTH_SECRET: production.AUTH_SECRET.slice(0, 20),
    ENCRYPTION_KEYS: production.ENCRYPTION_KEYS.slice(0, 40),
    OIDC_CLIENT_ID: "",
  });
  expect(complaints.map((line) => line.split(" ")[0])).toEqual([
    "DATABASE_URL",
    "AUTH_SECRET",
    "ENCRYPTION_KEYS",
    "OIDC_CLIENT_ID",
  ]);
  expect(complaints.join()).not.toContain("\n");
  for (const text of [inspect(env, { depth: 9 }), JSON.stringify(env), complaints.join()])
    for (const secret of secrets) expect(text).not.toContain(secret.slice(0, 20));
});

it("logs at the level that is set, or at info", () => {
  expect(logLevel({ LOG_LEVEL: "warn" })).toBe("warn");
  expect(logLevel({ LOG_LEVEL: "loud" })).toBe("info");
});

describe("secrets in files", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-test-"));
  const file = (content: string, name = randomBytes(6).toString("hex")) => {
    const at = path.join(folder, name);
    writeFileSync(at, content);
    return at;
  };
  /** The whole configuration, with its secrets revealed. */
  const revealed = (env: object) =>
    JSON.stringify(env, function (this: Record<string, unknown>, name, value: unknown) {
      const own = this[name];
      return own instanceof Secret ? own.reveal() : value;
    });

  it("reads every secret from the file that NAME_FILE names, without the line break at its end", () => {
    const { DATABASE_URL, AUTH_SECRET, ENCRYPTION_KEYS, ...others } = production;
    const { OIDC_CLIENT_SECRET, OIDC_ISSUER, OIDC_CLIENT_ID } = singleSignOn;
    const { MAIL_FROM, ...secrets } = mailAndAlerts;
    const values: Record<(typeof secretVariables)[number], string> = {
      DATABASE_URL,
      AUTH_SECRET,
      ENCRYPTION_KEYS,
      OIDC_CLIENT_SECRET,
      ...secrets,
    };
    const open = { ...others, OIDC_ISSUER, OIDC_CLIENT_ID, MAIL_FROM };
    for (const end of ["", "\n", "\r\n"]) {
      const files = Object.fromEntries(
        Object.entries(values).map(([name, value]) => [`${name}_FILE`, file(value + end)]),
      );
      const env = revealed(parseEnv({ ...open, ...files }));
      expect(env).toBe(revealed(parseEnv({ ...open, ...values })));
      expect(env).toContain(AUTH_SECRET);
    }
  });

  it("refuses a value beside a file: one of the two would silently win", () => {
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
    for (const [at, because] of [
      [path.join(folder, "gone"), "is not there: set the path of a file"],
      [folder, "is a folder: set the path of a file"],
      [file("\n"), "is empty"],
      [file("x".repeat(70_000)), "is larger than 64 KiB"],
      ...(process.getuid?.() === 0
        ? []
        : [[unreadable, "this user may not read: check its owner and permissions"] as const]),
    ] as const)
      expect(reported(at)).toEqual([
        expect.stringContaining(`SMTP_URL_FILE names ${at}, which ${because}`),
      ]);
    const wrong = reported(file("hidden-pw@mail"));
    expect(wrong).toEqual([expect.stringMatching(/^SMTP_URL is not a mail server/)]);
    expect(wrong.join()).not.toContain("hidden-pw");
  });

  it("knows every variable with a secret value", () => {
    const needed = { ...production, ...singleSignOn, ...mailAndAlerts };
    const env = parseEnv(needed, { mode: "production" });
    const printed = inspect(env, { depth: 9, showHidden: false });
    // What the configuration wraps as a secret prints as [secret]: as many as there are variables, and a key for each
    // id.
    expect(printed.match(/\[secret\]/g)).toHaveLength(
      secretVariables.length - 1 + env.encryptionKeys.length,
    );
  });
});

it("finds no usable key in the documents, so that nobody can start with one that all have (threat: a sample key)", () => {
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
