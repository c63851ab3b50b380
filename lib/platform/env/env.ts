import { processWide } from "@/lib/platform/runtime/process-wide";
import { Secret } from "@/lib/platform/runtime/secret";
import { readBrand, type Brand } from "./brand";
import type { EncryptionKey } from "./encryption-keys";
import { isLoopback } from "./is-loopback";
import { modeOf, type Mode, type Source } from "./mode";
import { secretVariables, withSecretFiles } from "./secret-files";
import { singleSignOn, singleSignOnProblems, type SingleSignOnSettings } from "./single-sign-on";
import { decodes, isNamedForTesting, logLevels, variables } from "./variables";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type * as z from "zod";

export type { EncryptionKey } from "./encryption-keys";
export type { PartnerClaim, SingleSignOnSettings, StaffClaim } from "./single-sign-on";

/**
 * The configuration: only this file reads environment variables, everything else takes values. Without server-only: the
 * programs use it too.
 */
export type Env = {
  mode: Mode;
  brand: Brand;
  port: number;
  /** The address of this machine that is listened on; null: all of them, or loopback's where `url` is loopback's. */
  host: string | null;
  /** The public address of the dashboard: an origin. */
  url: URL;
  dataDir: string;
  /** `file:…` or `postgres://…`; a Secret because the latter may carry a password. */
  databaseUrl: Secret;
  authSecret: Secret;
  /** The first one is active; the others still open what they wrapped. */
  encryptionKeys: readonly [EncryptionKey, ...EncryptionKey[]];
  /** Base addresses of the payment service by environment, without a trailing slash. */
  environments: ReadonlyMap<string, string>;
  /** Those in which a mistake costs money: all that are not declared, or named, for trials. */
  productionEnvironments: ReadonlySet<string>;
  /**
   * Who needs one-time codes or a passkey after signing in with a password: staff, also the admins of partners, or
   * everybody. `passkey`: codes are not enough.
   */
  requireSecondFactor: { of: "staff" | "admins" | "all"; passkey: boolean } | null;
  /** Every partner's production addresses and credentials take two people to change. */
  requireFourEyes: boolean;
  oidc: SingleSignOnSettings | null;
  /** How mail is sent; null: people hand links over themselves, and alerts are not mailed. */
  mail: { url: Secret; from: string } | null;
  /** For people who have not chosen a language; null: mails have all, and screens follow the browser. */
  defaultLocale: "en" | "pt-BR" | null;
  /** Of times in mails. */
  mailTimeZone: string;
  /** Where alerts for operators go, and the key that signs them; null: nowhere. */
  alertsWebhook: { url: Secret; secret: Secret } | null;
  /** Where Prometheus finds the metrics; null: nowhere. */
  metrics: { host: string; port: number } | null;
  sandboxPort: number;
  /** Path of the sandbox's list of clients; null: the demo's. */
  sandboxClients: string | null;
  /** A callback address may be loopback or private. */
  allowPrivateTargets: boolean;
  /** Milliseconds from one background reading of a connection to the next; null: there are none. */
  watchEveryMs: number | null;
  /** How many proxies in front of us append to X-Forwarded-For; 0: the header means nothing. */
  trustedProxyHops: number;
  /** The address that the payment service has to allow. */
  publicAddress: string | null;
  /** Where to report a vulnerability of this installation: an https: or mailto: address; null: nowhere. */
  securityContact: string | null;
  /** How many changes one person may make in ten minutes; lib/platform/limits derives the rest from it. */
  changeLimit: number;
  /** Whether people may have an endpoint checked. */
  endpointChecks: "off" | "manual" | "daily";
  /** Under which address partners can receive notifications in test environments; null: nowhere. */
  captureAt: URL | null;
  /** What developers read beside the receiver kit. */
  receiverNote: string | null;
  /** The HTTP proxy (CONNECT) through which calls leave. */
  outboundProxy: HttpProxy | null;
  /** What is called without it: host names, addresses and ranges. */
  outboundDirect: readonly string[];
  /** Where an endpoint check never goes: host names, addresses and ranges. */
  egressDeny: readonly string[];
  /** Through which endpoint checks leave: theirs, or `outboundProxy`. */
  egressProxy: HttpProxy | null;
  /** Whether the log's line for an entry of the history also says what it is about. */
  fullAuditLog: boolean;
  /** For how many days to keep what has ended. */
  retainDays: number;
  /** For how many days the history is; null: for good. Only `prune-history` removes any. */
  retainHistoryDays: number | null;
  /** In the demo: the port of its receivers on this machine. */
  receiversPort: number;
};

type HttpProxy = { host: string; port: number; authorization: Secret | null };

/** Every problem at once, one line each. No value is quoted that may be secret. */
export class EnvironmentError extends Error {
  override readonly name: string = "EnvironmentError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join("\n"));
    this.problems = problems;
  }
}

/** The process's configuration, parsed once. Throws `EnvironmentError`. */
export function env(): Env {
  return processWide("env", () => parseEnv(process.env));
}

/** LOG_LEVEL alone, so that a program can log before, or without, a valid configuration. */
export function logLevel(source: Source = process.env): string {
  return logLevels.find((level) => level === source["LOG_LEVEL"]) ?? "info";
}

/** Throws `EnvironmentError` with every problem. An empty variable counts as unset. */
export function parseEnv(source: Source, { mode = modeOf(source) }: { mode?: Mode } = {}): Env {
  const { set, problems: ofFiles, unread } = withSecretFiles(withoutEmpty(source));
  const result = variables(mode).safeParse(set);
  const reported = [
    ...(result.error?.issues ?? []).map((issue) => `${String(issue.path[0])} ${issue.message}`),
    ...singleSignOnProblems(set),
    ...pairProblems(set, ["SMTP_URL", "MAIL_FROM"], "sending mail"),
    ...pairProblems(set, ["ALERTS_URL", "ALERTS_SECRET"], "sending alerts"),
    ...hostProblems(set),
    ...metricsProblems(set),
    ...(result.data ? testEnvironmentProblems(result.data) : []),
    ...databaseTlsProblems(set),
    ...passkeyProblems(set),
    ...certificateProblems(set),
    ...(result.data ? readBrand(result.data).problems : []),
  ];
  const problems = [
    ...ofFiles,
    ...reported.filter((line) => !unread.has(line.slice(0, line.indexOf(" ")))),
  ];
  if (!result.success || problems.length > 0) throw new EnvironmentError(problems);
  const value = result.data;
  const { brand } = readBrand(value);
  const environments = environmentsOf(value);
  const isTrial = (name: string) => value.TEST_ENVIRONMENTS?.has(name) ?? isNamedForTesting(name);
  return {
    mode,
    brand,
    port: value.PORT,
    host: value.GANCHO_HOST ?? null,
    url: value.GANCHO_URL ?? new URL(`http://localhost:${value.PORT}`),
    dataDir: value.GANCHO_DATA_DIR,
    databaseUrl: value.DATABASE_URL ?? new Secret(`file:${value.GANCHO_DATA_DIR}/gancho.db`),
    authSecret: value.AUTH_SECRET,
    encryptionKeys: value.ENCRYPTION_KEYS,
    environments,
    productionEnvironments: new Set([...environments.keys()].filter((name) => !isTrial(name))),
    requireSecondFactor: value.REQUIRE_SECOND_FACTOR ?? null,
    requireFourEyes: value.REQUIRE_FOUR_EYES === "production",
    oidc: singleSignOn(value),
    defaultLocale: value.DEFAULT_LOCALE ?? null,
    mailTimeZone: value.MAIL_TIME_ZONE,
    mail: value.SMTP_URL && value.MAIL_FROM ? { url: value.SMTP_URL, from: value.MAIL_FROM } : null,
    alertsWebhook:
      value.ALERTS_URL && value.ALERTS_SECRET
        ? { url: value.ALERTS_URL, secret: value.ALERTS_SECRET }
        : null,
    metrics: value.METRICS_PORT ?? null,
    sandboxPort: value.SANDBOX_PORT,
    sandboxClients: value.SANDBOX_CLIENTS ?? null,
    allowPrivateTargets: value.GANCHO_ALLOW_PRIVATE_TARGETS,
    watchEveryMs: value.WATCH_EVERY === 0 ? null : value.WATCH_EVERY * 60_000,
    trustedProxyHops: value.GANCHO_TRUSTED_PROXY,
    publicAddress: value.GANCHO_PUBLIC_ADDRESS ?? null,
    securityContact: value.SECURITY_CONTACT ?? null,
    changeLimit: value.GANCHO_CHANGE_LIMIT,
    endpointChecks: value.ENDPOINT_CHECKS,
    captureAt: captureAt(value),
    receiverNote: value.RECEIVER_NOTE ?? null,
    egressDeny: value.EGRESS_DENY,
    outboundProxy: value.OUTBOUND_PROXY ?? null,
    outboundDirect: value.OUTBOUND_DIRECT,
    egressProxy: value.EGRESS_PROXY ?? value.OUTBOUND_PROXY ?? null,
    fullAuditLog: value.AUDIT_LOG === "full",
    retainDays: value.RETAIN_DAYS,
    retainHistoryDays: value.RETAIN_HISTORY_DAYS ?? null,
    // Another one for each dashboard, so that two demos run beside each other: 4020 beside 3000.
    receiversPort: value.PORT + (value.PORT < 64_000 ? 1020 : -1020),
  };
}

/** Set by Gancho's own programs for each other, or for the build. */
const ofPrograms = ["GANCHO_DEMO", "GANCHO_PARENT", "GANCHO_BUILD_ID"];

/**
 * Variables that look like ours and are none, with the one that was probably meant. Others of the machine have any
 * names, so that only a name much like one of ours is taken for it.
 */
export function unknownVariables(source: Source): { name: string; meant: string | null }[] {
  const own = Object.keys(variables("production").shape);
  const known = [...own, ...secretVariables.map((name) => `${name}_FILE`), ...ofPrograms];
  return Object.keys(source)
    .filter((name) => !known.includes(name))
    .map((name) => ({ name, meant: known.find((other) => isMuchLike(name, other)) ?? null }))
    .filter(({ name, meant }) => meant !== null || ownPrefix.test(name));
}

const ownPrefix = /^(?:GANCHO|BRAND|PARTNER_API|OIDC|SMTP|ALERTS|METRICS|OUTBOUND|EGRESS|RETAIN)_/;

/** Whether one letter in six, or two, were inserted, left out or replaced. Short names are like many others. */
function isMuchLike(name: string, known: string): boolean {
  const tolerated = Math.max(2, Math.floor(known.length / 6));
  return known.length >= 8 && editDistance(name, known) <= tolerated;
}

function editDistance(one: string, other: string): number {
  let row = [...Array(other.length + 1).keys()];
  for (const [at, letter] of [...one].entries()) {
    const next = [at + 1];
    for (const [to, wanted] of [...other].entries())
      next.push(
        Math.min(
          (next[to] ?? 0) + 1,
          (row[to + 1] ?? 0) + 1,
          (row[to] ?? 0) + (letter === wanted ? 0 : 1),
        ),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The first variable switches a feature on; the others belong to it. */
const groups = [
  ["OIDC_ISSUER", /^OIDC_/],
  ["SMTP_URL", /^MAIL_FROM$/],
  ["ALERTS_URL", /^ALERTS_/],
] as const;

/**
 * An empty variable counts as unset. An empty first one switches its group off, so that one line overrides what .env
 * sets.
 */
function withoutEmpty(source: Source): Source {
  const set = Object.entries(source).filter(([, value]) => value?.trim());
  const has = (variable: string) => set.some(([name]) => name === variable);
  const off = groups.filter(
    ([first]) => source[first] !== undefined && !has(first) && !has(`${first}_FILE`),
  );
  return Object.fromEntries(set.filter(([name]) => !off.some(([, others]) => others.test(name))));
}

type Values = z.output<ReturnType<typeof variables>>;

/** The payment service registers https addresses alone. */
function captureAt({ CAPTURE, GANCHO_URL }: Values): URL | null {
  if (CAPTURE === "off") return null;
  return CAPTURE ?? (GANCHO_URL?.protocol === "https:" ? GANCHO_URL : null);
}

function environmentsOf(value: Values): ReadonlyMap<string, string> {
  return (
    value.PARTNER_API_ENVIRONMENTS ??
    new Map([["sandbox", `http://127.0.0.1:${value.SANDBOX_PORT}`]])
  );
}

/** A name that is no environment is a typing error, and the intended environment would not be declared. */
function testEnvironmentProblems(value: Values): string[] {
  const environments = environmentsOf(value);
  const unknown = [...(value.TEST_ENVIRONMENTS ?? [])].filter((name) => !environments.has(name));
  return unknown.map(
    (name) =>
      `TEST_ENVIRONMENTS names ${name}, which PARTNER_API_ENVIRONMENTS does not have: set names that it has`,
  );
}

/** Without TLS, and perhaps with the demo's passwords, it is for this machine only. */
function hostProblems({ GANCHO_HOST = "", GANCHO_URL = "http://localhost" }: Source): string[] {
  if (isIP(GANCHO_HOST) === 0 || !URL.canParse(GANCHO_URL)) return [];
  const listening = new URL(`http://${isIP(GANCHO_HOST) === 6 ? `[${GANCHO_HOST}]` : GANCHO_HOST}`);
  return isLoopback(new URL(GANCHO_URL)) && !isLoopback(listening)
    ? ["GANCHO_HOST is open to others, and GANCHO_URL is this machine: leave one of them out"]
    : [];
}

function metricsProblems({ METRICS_PORT, PORT = "3000" }: Source): string[] {
  return METRICS_PORT?.split(":").at(-1) === PORT
    ? ["METRICS_PORT is the dashboard's own PORT: set another, which its proxy does not lead to"]
    : [];
}

/** Browsers make no passkeys for an IP address: nobody could meet the requirement. */
function passkeyProblems({
  REQUIRE_SECOND_FACTOR,
  GANCHO_URL = "http://localhost",
}: Source): string[] {
  if (!REQUIRE_SECOND_FACTOR?.endsWith("-passkey") || !URL.canParse(GANCHO_URL)) return [];
  return isIP(new URL(GANCHO_URL).hostname.replace(/^\[|\]$/g, "")) === 0
    ? []
    : [
        "REQUIRE_SECOND_FACTOR cannot be met: passkeys need a host name in GANCHO_URL, and it is an IP address",
      ];
}

/** The libraries for single sign-on, mail and alerts would accept a man in the middle. */
function certificateProblems({ NODE_TLS_REJECT_UNAUTHORIZED }: Source): string[] {
  return NODE_TLS_REJECT_UNAUTHORIZED === "0"
    ? [
        "NODE_TLS_REJECT_UNAUTHORIZED switches off the verification of certificates: leave it out, and name an authority of your own in NODE_EXTRA_CA_CERTS",
      ]
    : [];
}

/** Mail needs a server and a sender; alerts need an address and a signing key. */
function pairProblems(set: Source, needed: [string, string], what: string): string[] {
  const absent = needed.filter((name) => set[name] === undefined);
  if (absent.length !== 1) return [];
  return [`${absent.join("")} is missing: ${what} needs ${needed.join(" and ")}; set both or none`];
}

/**
 * How to connect to the database. `host`: the name in its certificate; `caFile`: the trusted authority, null: those
 * that Node trusts.
 */
type DatabaseTls = { verify: false } | { verify: true; host: string; caFile: string | null };

/**
 * As libpq's parameters in the address say. Verified TLS wherever the database is on another machine, unless it is
 * switched off explicitly; on this one, on request. `url`: a valid DATABASE_URL.
 */
export function databaseTls(url: string): DatabaseTls {
  const host = hostOf(url);
  if (host === null) return { verify: false };
  const { searchParams } = new URL(url);
  const mode = searchParams.get("sslmode") ?? (isThisMachine(host) ? "disable" : "verify-full");
  if (mode === "disable") return { verify: false };
  const authority = searchParams.get("sslrootcert");
  return { verify: true, host, caFile: authority === "system" ? null : authority };
}

/** The driver's other parameters for TLS; some of them would silently turn verification off. */
const unsupportedParameters = ["ssl", "sslcert", "sslkey", "sslnegotiation", "uselibpqcompat"];

/** Lines as `parseEnv` wants them. */
function databaseTlsProblems({ DATABASE_URL: url = "" }: Source): string[] {
  if (!URL.canParse(url) || !decodes(url) || hostOf(url) === null) return [];
  const { searchParams } = new URL(url);
  const mode = searchParams.get("sslmode");
  const authority = searchParams.get("sslrootcert");
  const faults = unsupportedParameters
    .filter((name) => searchParams.has(name))
    .map((name) => `has ${name} in it: leave it out, and set sslmode and sslrootcert`);
  if (mode !== null && mode !== "verify-full" && mode !== "disable")
    faults.push("has an sslmode that is neither verify-full nor disable: set one of them");
  else if (authority !== null && !databaseTls(url).verify)
    faults.push("has sslrootcert in it, and TLS is off: add sslmode=verify-full");
  else if (authority !== null && authority !== "system" && !isReadable(authority))
    faults.push("names a file in sslrootcert that cannot be read: set the path of a PEM file");
  return faults.map((fault) => `DATABASE_URL ${fault}`);
}

function isReadable(file: string): boolean {
  try {
    readFileSync(file);
    return true;
  } catch {
    return false;
  }
}

/** The host that the driver calls; null: an embedded database, or a socket of this machine. */
function hostOf(url: string): string | null {
  if (!/^postgres(ql)?:/.test(url)) return null;
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? decodeURIComponent(hostname);
  return host === "" || host.startsWith("/") ? null : host;
}

function isThisMachine(host: string): boolean {
  const address = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`;
  return URL.canParse(address) && isLoopback(new URL(address));
}

/**
 * How old the last look at a service may be, milliseconds: a few readings may fail, and without a reader somebody should
 * look every day.
 */
export function lookOldAfterMs({ watchEveryMs }: Pick<Env, "watchEveryMs">): number {
  const hourMs = 60 * 60_000;
  return watchEveryMs === null ? 24 * hourMs : Math.max(hourMs, 4 * watchEveryMs);
}
