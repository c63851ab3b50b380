import { Secret } from "@/lib/platform/runtime/secret";
import { isIP } from "node:net";
import * as z from "zod";
import { brandLinks, type BrandLinks } from "./brand";
import type { PartnerClaim } from "./single-sign-on";
import { encryptionKeys, missing, refuseValue } from "./encryption-keys";
import { isLoopback } from "./is-loopback";
import { demoMark, type Mode } from "./mode";

export const logLevels = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/**
 * Every variable with one line that says what it is for, in the order in which docs/operate.md lists them (`npm run
 * docs` writes that list and .env.example from here). The caller sets defaults that depend on another variable. A
 * message completes the sentence "NAME …": what is wrong, and what to do. Never quotes a value that may be secret.
 */
export function variables(mode: Mode) {
  const inProduction = <Type extends z.ZodType>(type: Type) =>
    mode === "production" ? type : type.optional();
  return z.object({
    GANCHO_URL: variable(
      "public address of the dashboard, such as `https://gancho.example.com`; `http://` only for this machine, and then nobody else is served",
      inProduction(publicUrl(mode)),
    ),
    PORT: variable("port of the dashboard", port.default(3000)),
    GANCHO_HOST: variable(
      "address of this machine to listen on, `127.0.0.1` where the proxy is on it too; all of them if not set",
      address.optional(),
    ),
    GANCHO_TRUSTED_PROXY: variable(
      "how many proxies in front append to `X-Forwarded-For`; with 0 that header and `X-Request-Id` are ignored",
      hops.default(0),
    ),
    GANCHO_DATA_DIR: variable(
      "folder of the embedded databases and the anchor file of the history",
      z.string().default(".data"),
    ),
    DATABASE_URL: variable(
      "`postgres://user:password@host/database`, or `file:/path/to/gancho.db` for the embedded database. Behind it `?sslmode=verify-full` or `disable`, and `&sslrootcert=FILE` for a CA of your own; if not set, `verify-full` unless PostgreSQL is on this machine",
      inProduction(databaseUrl),
    ),
    AUTH_SECRET: variable(
      "keys the digests of sessions and signs what browsers keep of a sign-in; another one signs everybody out. At least 32 bytes: `openssl rand -base64 48`",
      authSecret(mode),
    ),
    ENCRYPTION_KEYS: variable(
      "encrypts stored secrets: `id:key[,id:older-key…]`, each key `openssl rand -base64 32`; the first is active",
      encryptionKeys(mode),
    ),
    BRAND_NAME: variable(
      "the name that people read on screens, in mails and in passkey prompts, in place of Gancho",
      brandName.optional(),
    ),
    BRAND_DIR: variable(
      "folder with `logo.svg` or `.png`, drawn in place of the name, and beside it, if you like, `logo-dark` for the dark theme and `icon` for the browser's tab; an SVG without scripts and outside references",
      z.string().optional(),
    ),
    BRAND_ACCENT: variable(
      "one colour, such as `#0f766e`, for buttons and links in both themes; refused where it could not be read, with the nearest that can",
      accent.optional(),
    ),
    BRAND_LINKS: variable(
      "your own pages, linked on every screen: `support=https://…,privacy=https://…,terms=https://…,back=https://…`; support may be `mailto:…`",
      linksOfBrand.optional(),
    ),
    PARTNER_API_ENVIRONMENTS: variable(
      "the payment service by environment: `name=address[,name=address…]`, https except on this machine",
      inProduction(environments),
    ),
    TEST_ENVIRONMENTS: variable(
      "which of these are for tests; the others are production. If not set, those named sandbox, test, staging, homolog and the like",
      environmentNames.optional(),
    ),
    GANCHO_PUBLIC_ADDRESS: variable(
      "the outbound IP address of this server, shown to admins whose calls the payment service does not allow",
      addresses.optional(),
    ),
    OIDC_ISSUER: variable(
      "single sign-on: the provider, exactly as it calls itself",
      issuer.optional(),
    ),
    OIDC_CLIENT_ID: variable("Gancho's client id at the provider", z.string().optional()),
    OIDC_CLIENT_SECRET: variable("the secret of that client", z.string().optional()),
    OIDC_NAME: variable(
      "the provider's name on the button",
      z.string().max(40, "is longer than 40 characters: shorten it").optional(),
    ),
    OIDC_STAFF_CLAIM: variable(
      "a claim that makes people staff, and its values for support and for operators: `groups=gancho-support,gancho-operators`",
      staffClaim.optional(),
    ),
    OIDC_PARTNER_CLAIM: variable(
      "a claim that makes people members of partners at each sign-in, and the form of its values; a role is `viewer`, `editor` or `admin`: `groups=pix-{partner}-{role}`",
      partnerClaim.optional(),
    ),
    SIGN_IN: variable(
      "`provider`: people sign in and confirm who they are at the provider alone, and `OIDC_PARTNER_CLAIM` decides who belongs to a partner; passwords, one-time codes and invitations are off",
      z.enum(["provider"], "is not provider: set that, or leave it out").optional(),
    ),
    REQUIRE_SECOND_FACTOR: variable(
      "`staff`, `admins` (and staff) or `all` need one-time codes or a passkey, unless they use single sign-on; with `-passkey` behind it, codes are not enough",
      secondFactor.optional(),
    ),
    REQUIRE_FOUR_EYES: variable(
      "`production`: at every partner, production addresses and credentials take two people to change; if not set, each partner decides",
      z.enum(["production"], "is not production: set that, or leave it out").optional(),
    ),
    SMTP_URL: variable(
      "mail server for links and alerts: `smtps://user:password@host:465` or `smtp://…:587`",
      smtpUrl.optional(),
    ),
    MAIL_FROM: variable("the sender of mails", mailFrom.optional()),
    DEFAULT_LOCALE: variable(
      "`en` or `pt-BR`: the language of mails to people who have not chosen one, and of screens for browsers that ask for neither; if not set, mails have both",
      z.enum(["en", "pt-BR"], "is not en or pt-BR: set one of them").optional(),
    ),
    MAIL_TIME_ZONE: variable(
      "the time zone of times in mails, such as `America/Sao_Paulo`; each is named beside its time",
      timeZone.default("UTC"),
    ),
    ALERTS_URL: variable("where alerts for operators are posted", alertsUrl.optional()),
    ALERTS_SECRET: variable(
      'signs them: `echo "whsec_$(openssl rand -base64 32)"`',
      alertsSecret.optional(),
    ),
    METRICS_PORT: variable(
      "port of `GET /metrics` on this machine, or `address:port`; never one that others reach",
      listeningPort.optional(),
    ),
    LOG_LEVEL: variable(
      "`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`",
      z.enum(logLevels, `is not one of ${logLevels.join(", ")}`).default("info"),
    ),
    AUDIT_LOG: variable(
      "`full`: the log's line for each entry of the history also has environment, types, state, and the origins before and after; no path, no value",
      z.enum(["full"], "is not full: set that, or leave it out").optional(),
    ),
    SECURITY_CONTACT: variable(
      "`https://…` or `mailto:…` for reports of vulnerabilities, published at `/.well-known/security.txt`",
      securityContact.optional(),
    ),
    RETAIN_DAYS: variable(
      "for how many days data that has ended is kept; 7 to 36500",
      daysKept.default(90),
    ),
    RETAIN_HISTORY_DAYS: variable(
      "for how many days `prune-history` leaves the history; if not set, for good",
      daysKept.optional(),
    ),
    WATCH_EVERY: variable(
      "minutes from one background reading of a connection to the next, or less where connections are few; 0: none",
      minutes.default(15),
    ),
    GANCHO_CHANGE_LIMIT: variable(
      "changes that one person may make in ten minutes; other limits grow with it",
      changeLimit.default(60),
    ),
    GANCHO_ALLOW_PRIVATE_TARGETS: variable(
      "`1`: callback addresses may be private. For trials; endpoint checks do not go there",
      flag.default(false),
    ),
    ENDPOINT_CHECKS: variable(
      "`daily`: people may have endpoints checked, and admins have it done every day; `manual`: only on demand; `off`: never",
      z
        .enum(["off", "manual", "daily"], "is not off, manual or daily: set one of them")
        .default("daily"),
    ),
    CAPTURE: variable(
      "where partners can receive notifications for a while in test environments: `https://…`, a host or port of its own that your proxy leads to `/in/` here, or `off`; if not set, `GANCHO_URL`, where that is https",
      captureAt.optional(),
    ),
    RECEIVER_NOTE: variable(
      "what developers read beside the receiver kit, in your words: from which addresses the payment service calls, for example",
      receiverNote.optional(),
    ),
    OUTBOUND_PROXY: variable(
      "`http://user:password@host:port`: every call leaves through it, by CONNECT: to the payment service, the identity provider, mail, alerts and endpoint checks",
      httpProxy.optional(),
    ),
    OUTBOUND_DIRECT: variable(
      "what is called without `OUTBOUND_PROXY`: names with all below them, addresses, ranges. This machine always is, endpoint checks never are",
      hosts.default([]),
    ),
    EGRESS_DENY: variable(
      "where endpoint checks never go, besides what is not public: names with all below them, addresses, ranges",
      hosts.default([]),
    ),
    EGRESS_PROXY: variable(
      "as `OUTBOUND_PROXY`, for endpoint checks alone; it resolves names, and must refuse private addresses",
      httpProxy.optional(),
    ),
    SANDBOX_PORT: variable("port of the sandbox", port.default(4010)),
    SANDBOX_CLIENTS: variable(
      "file of the sandbox's clients, a JSON list of `{client_id, client_secret, next_secret, active, allowed_ips}`; if not set, the demo's",
      z.string().optional(),
    ),
  });
}

/** `description` follows the variable's name in docs/operate.md, and may contain Markdown's backticks. */
export function variable<Type extends z.ZodType>(description: string, type: Type): Type {
  return type.describe(description);
}

const port = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, { error: "is not a port: set a number from 1 to 65535", abort: true })
  .transform(Number)
  .refine((number) => number <= 65_535, "is not a port: set a number from 1 to 65535");

/** The token of 43 characters that follows must fit into the 255 of a callback. */
const captureAt = z.string().transform((text, context): URL | "off" => {
  if (text === "off") return text;
  const url = parseUrl(text);
  const isOrigin = url?.protocol === "https:" && url.href === `${url.origin}/`;
  return url && isOrigin && url.origin.length <= 200
    ? url
    : refuseValue(context, "is not an https address without a path: set one, or off");
});

const timeZone = z.string().refine((name) => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}, "is not a time zone: set its name, such as America/Sao_Paulo");

const receiverNote = z
  .string()
  .max(600, "is longer than 600 characters: shorten it")
  .regex(/^[^\p{C}]+$/u, "has a line break or a hidden character: write it on one line");

/** It stands in titles, in the subjects and senders of mails, and in prompts of browsers. */
const brandName = z
  .string()
  .max(40, "is longer than 40 characters: shorten it")
  .regex(
    /^[^\p{C}\p{Zl}\p{Zp}<>"@]+$/u,
    'has a character that no name has: leave out < > " @ and hidden ones',
  );

const accent = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, "is not a colour: set # and six hexadecimal digits, such as #0f766e")
  .transform((text) => text.toLowerCase());

const linksOfBrand = z.string().transform((text, context): BrandLinks => {
  const links: BrandLinks = {};
  for (const entry of text.split(",")) {
    const [, name = "", address = ""] = /^\s*(\w+)=(\S+)\s*$/.exec(entry) ?? [];
    const known = brandLinks.find((one) => one === name);
    const url = parseUrl(address);
    if (!known || links[known] !== undefined)
      return refuseValue(
        context,
        `is not a list of links: set each of ${brandLinks.join(", ")} once at most, like support=https://example.com/help`,
      );
    const isMail = known === "support" && /^mailto:[^@?\s]+@[^@?\s]+$/.test(address);
    if (!isMail && (url?.protocol !== "https:" || url.username || url.password))
      return refuseValue(context, `has no address at ${known}: begin it with https://`);
    links[known] = address;
  }
  return links;
});

/** A port of this machine alone, unless another of its addresses is named before it. */
const listeningPort = z.string().transform((text, context) => {
  const [, host = "127.0.0.1", digits = ""] = /^(?:(.+):)?(\d+)$/.exec(text) ?? [];
  const { data } = port.safeParse(digits);
  const address = host.replace(/^\[|\]$/g, "");
  return data !== undefined && isIP(address) !== 0
    ? { host: address, port: data }
    : refuseValue(
        context,
        "is not a port: set 9464, or 192.0.2.1:9464 for other machines of yours",
      );
});

/** The claim's name may be an address, with any characters but this one. */
const staffClaim = z.string().transform((text, context) => {
  const [, name = "", values = ""] = /^(.+)=([^=]*)$/.exec(text) ?? [];
  const [support = "", operator = "", ...others] = values.split(",").map((value) => value.trim());
  return name && support && operator && others.length === 0
    ? { name, support, operator }
    : refuseValue(
        context,
        "is not a claim with its two values: set it like groups=gancho-support,gancho-operators",
      );
});

const partnerClaim = z.string().transform((text, context): PartnerClaim => {
  const [, name = "", before, between, after] =
    /^(.+)=([^={}]*)\{partner\}([^={}]*)\{role\}([^={}]*)$/.exec(text) ?? [];
  return before !== undefined && between && after !== undefined
    ? { name, before, between, after }
    : refuseValue(
        context,
        "is not a claim with the form of its values: set it like groups=pix-{partner}-{role}",
      );
});

type SecondFactor = { of: "staff" | "admins" | "all"; passkey: boolean };

const secondFactor = z.string().transform((text, context): SecondFactor => {
  const [, of, passkey] = /^(staff|admins|all)(-passkey)?$/.exec(text) ?? [];
  return of === "staff" || of === "admins" || of === "all"
    ? { of, passkey: passkey !== undefined }
    : refuseValue(
        context,
        "is not staff, admins or all: set one of them, with -passkey behind it where codes are not enough, or leave it out",
      );
});

const flag = z
  .enum(["0", "1", "false", "true"], "is not a switch: set 1 or 0")
  .transform((value) => value === "1" || value === "true");

const hops = z
  .string()
  .regex(
    /^\d$/,
    "is not a number of proxies: set 0 to 9, the proxies that append to X-Forwarded-For",
  )
  .transform(Number);

/** `what`: what the number is, such as "a port". */
export function wholeNumber(least: number, most: number, what: string) {
  return z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most,
      `is not ${what}: set ${least} to ${most}`,
    )
    .transform(Number);
}

const minutes = wholeNumber(0, 1_440, "a number of minutes");
const daysKept = wholeNumber(7, 36_500, "a number of days");
const changeLimit = wholeNumber(1, 9_999_999, "a number of changes");

const address = z
  .string()
  .refine(
    (text) => isIP(text) !== 0,
    "is not an IP address of this machine: set the one to listen on, such as 127.0.0.1",
  );

const addresses = z
  .string()
  .refine(
    (list) => list.split(",").every((address) => isIP(address.trim()) !== 0),
    "is not an IP address: set the address, or several with commas, from which this server calls out",
  );

const badEscape = "has a % that begins no escape: write one that is part of a password as %25";

/** Whether each escape in an address is valid, in UTF-8: who uses the address would fail over another. */
export function decodes(address: string): boolean {
  try {
    decodeURIComponent(address);
    return true;
  } catch {
    return false;
  }
}

/**
 * In an address with a password: `@`, `/`, `?` and `#` as they are end the password, and a part of it passes for the host.
 */
const misplacedAt =
  "has an @ where none belongs: in a user name or password write @ as %40, / as %2F, ? as %3F and # as %23";

/** Whether an `@` follows another one, or the end of the host. */
function hasMisplacedAt(address: string): boolean {
  return /@[^]*@|\/\/[^@]*[/?#][^]*@/.test(address);
}

const hostsMessage =
  "is not a list of hosts: set names, addresses or ranges with commas, such as intranet.example,198.51.100.0/24";

const hosts = z.string().transform((text, context) => {
  const entries = text.split(",").map((entry) => entry.trim());
  const isOne = (entry: string) => {
    const [base = "", bits, ...rest] = entry.split("/");
    const most = { 0: -1, 4: 32, 6: 128 }[isIP(base)] ?? -1;
    if (most === -1) return /^\.?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/i.test(entry);
    return rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && +bits <= most));
  };
  return entries.every(isOne) ? entries : refuseValue(context, hostsMessage);
});

const httpProxy = z.string().transform((text, context) => {
  const url = parseUrl(text);
  if (hasMisplacedAt(text)) return refuseValue(context, misplacedAt);
  if (!decodes(text)) return refuseValue(context, badEscape);
  if (url?.protocol !== "http:" || url.pathname !== "/" || url.search + url.hash !== "")
    return refuseValue(
      context,
      "is not a proxy: set http://host:port, with user:password@ if it asks",
    );
  const credentials = [url.username, url.password].map(decodeURIComponent).join(":");
  const basic = `Basic ${Buffer.from(credentials).toString("base64")}`;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: Number(url.port || 80),
    authorization: url.username ? new Secret(basic) : null,
  };
});

/** Parses without throwing; null for text that is no absolute URL. */
function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

/** The fault of an address that the browser or this server will trust; null when there is none. */
function addressFault(url: URL | null): string | null {
  if (!url || !/^https?:$/.test(url.protocol)) return "is not an address: begin it with https://";
  if (url.username || url.password) return "has a user name or password in it: leave that out";
  if (url.search || url.hash) return "has a query or fragment in it: leave that out";
  if (url.protocol === "http:" && !isLoopback(url))
    return "is not encrypted: use https:// (http:// is only for this machine itself)";
  return null;
}

/** Kept as written: it is compared with the provider's issuer, character by character. */
const issuer = z
  .string()
  .max(400, "is longer than 400 characters")
  .superRefine((text, context) => {
    const fault = addressFault(parseUrl(text));
    if (fault) refuseValue(context, fault);
  });

/** `smtps:` uses TLS from the start; `smtp:` upgrades to it before sending anything, except on this machine itself. */
const smtpUrl = z
  .string()
  .refine((text) => !hasMisplacedAt(text), { error: misplacedAt, abort: true })
  .refine((text) => {
    const url = parseUrl(text);
    if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) return false;
    return url.pathname.replace("/", "") + url.search + url.hash === "";
  }, "is not a mail server: set smtps://user:password@host:465 or smtp://user:password@host:587")
  .refine(decodes, badEscape)
  .transform((text) => new Secret(text));

const mailFrom = z
  .string()
  .max(320, "is longer than 320 characters: shorten it")
  .regex(
    /^(?:[^<>"\p{Cc}]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/u,
    "is not an address: set gancho@example.com or Gancho <gancho@example.com>",
  );

/** Secret as a whole: the address of a receiver often contains a credential. */
const alertsUrl = z
  .string()
  .max(2000, "is longer than 2000 characters: shorten it")
  .transform((text, context) => {
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol))
      return refuseValue(context, "is not an address: begin it with https://");
    if (url.username || url.password)
      return refuseValue(context, "has a user name or password in it: leave that out");
    if (url.hash) return refuseValue(context, "has a fragment in it: leave that out");
    if (url.protocol === "http:" && !isLoopback(url))
      return refuseValue(
        context,
        "is not encrypted: use https:// (http:// is only for this machine itself)",
      );
    return new Secret(text);
  });

/** As Standard Webhooks writes a key: 24 to 64 bytes in base64, after `whsec_`. */
const alertsSecret = z.string().transform((text, context) => {
  const [, encoded = ""] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length < 24 || bytes.length > 64 || bytes.toString("base64") !== encoded)
    return refuseValue(
      context,
      'is not whsec_ and 24 to 64 random bytes in base64: set what this prints: echo "whsec_$(openssl rand -base64 32)"',
    );
  return new Secret(text);
});

/** Kept as written, as one line of security.txt: no space or line break can begin another field there. */
const securityContact = z
  .string()
  .max(320, "is longer than 320 characters: shorten it")
  .refine((text) => {
    if (/[^\x21-\x7e]/.test(text)) return false;
    const url = parseUrl(text);
    return url?.protocol === "https:"
      ? url.hostname !== "" && !url.username && !url.password
      : /^mailto:[^@?]+@[^@?]+$/.test(text);
  }, "is not a contact: set https://example.com/security or mailto:security@example.com");

function publicUrl(mode: Mode) {
  return z
    .string(missing("set the public address of the dashboard, such as https://gancho.example.com"))
    .transform((text, context) => {
      const url = parseUrl(text);
      const fault =
        addressFault(url) ?? (url?.pathname === "/" ? null : "has a path: leave that out");
      if (fault || !url) return refuseValue(context, fault ?? "is not an address");
      if (mode === "demo" && !isLoopback(url))
        return refuseValue(
          context,
          "is not this machine: the demo has public passwords and runs on localhost only; use npm start for a real installation",
        );
      return url;
    });
}

/** A host or a query would become part of the path. */
export const sqliteFile = /^file:(?:\/\/(?=\/))?(?!\/\/)[^?#]+$/;

const databaseUrl = z
  .string(missing("set file:/path/to/gancho.db or postgres://user:password@host/database"))
  .refine((text) => !isPostgresScheme(text) || !hasMisplacedAt(text), {
    error: misplacedAt,
    abort: true,
  })
  .refine((text) => sqliteFile.test(text) || isPostgres(text), {
    error: "is neither file:/path/to/gancho.db nor postgres://user:password@host/database",
    abort: true,
  })
  // An unquoted # in .env ends the value.
  .refine((text) => !isPostgres(text) || new URL(text).pathname.length > 1, {
    error:
      "names no database: set postgres://user:password@host/database, with # in a password as %23",
  })
  .refine((text) => !isPostgres(text) || decodes(text), badEscape)
  .transform((text) => new Secret(text));

function isPostgresScheme(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text);
}

function isPostgres(text: string): boolean {
  return isPostgresScheme(text) && URL.canParse(text);
}

const smallestSecret = 32;

function authSecret(mode: Mode) {
  return z
    .string(missing("set at least 32 random bytes, for example from: openssl rand -base64 48"))
    .transform((text, context) => {
      const bytes = Buffer.byteLength(text);
      if (bytes < smallestSecret)
        return refuseValue(
          context,
          `is too short (${bytes} bytes): set at least ${smallestSecret} random bytes`,
        );
      // Not a measure of randomness; it only catches what no generator would produce.
      if (new Set(text).size < 10)
        return refuseValue(
          context,
          "repeats a few characters: set random bytes, for example from: openssl rand -base64 48",
        );
      if (mode === "production" && text.startsWith(demoMark))
        return refuseValue(context, "was generated by the demo: set a secret of your own");
      return new Secret(text);
    });
}

/** The pattern of an id in a path, because paths contain the environment's name. */
const environmentName = /^[a-z0-9-]{3,40}$/;

const environments = z
  .string(
    missing("set name=address of the payment service, such as production=https://api.example.com"),
  )
  .transform((text, context) => {
    const found = new Map<string, string>();
    for (const [index, entry] of text.split(",").entries()) {
      const [, name = "", address = ""] = /^\s*([^=]*?)\s*=\s*(.*?)\s*$/.exec(entry) ?? [];
      const url = parseUrl(address);
      const fault = !environmentName.test(name)
        ? "is not name=https://… (the name has 3 to 40 lower-case letters, digits and -)"
        : ((found.has(name) ? "repeats its name: keep one" : null) ?? addressFault(url));
      if (fault) refuseValue(context, `entry ${index + 1} ${fault}`);
      else if (url) found.set(name, `${url.origin}${url.pathname}`.replace(/\/+$/, ""));
    }
    return found;
  });

const environmentNames = z.string().transform((text, context) => {
  const names = text.split(",").map((name) => name.trim());
  return names.every((name) => environmentName.test(name))
    ? new Set(names)
    : refuseValue(context, "is not a list of environments: set their names, such as sandbox,lab");
});

/** Parts of a name that say it is for trials, in English and in Portuguese. */
const trialWords =
  /^(?:sandbox|test|tests|testing|teste|testes|staging|dev|development|homolog|homologation|homologacao|qa|uat)$/;

/**
 * Whether an environment's name declares it a trial. A name that declares neither, or both (`production-test`), does
 * not: taking a trial for production by mistake only protects it more than necessary.
 */
export function isNamedForTesting(name: string): boolean {
  const words = name.split("-");
  return (
    words.some((word) => trialWords.test(word)) && !words.some((word) => word.startsWith("prod"))
  );
}
