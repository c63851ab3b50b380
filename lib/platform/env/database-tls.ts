import { isLoopback } from "./is-loopback";
import type { Source } from "./mode";

/**
 * How to connect to the database. `host`: the name in its certificate; `caFile`: the trusted authority, null: those
 * that Node trusts.
 */
type DatabaseTls = { verify: false } | { verify: true; host: string; caFile: string | null };

/** The driver's own parameters for TLS; some of them would silently turn verification off. */
const inTheAddress = [
  "ssl",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "sslnegotiation",
  "uselibpqcompat",
];

/**
 * Verified TLS wherever the database is on another machine, unless it is switched off explicitly; on this one, on
 * request. `url`: a valid DATABASE_URL. Separate from env.ts, so that a program can open a database by its address.
 */
export function databaseTls(url: string, source: Source = process.env): DatabaseTls {
  const host = hostOf(url);
  const mode =
    source["DATABASE_TLS"]?.trim() || (host === null || isThisMachine(host) ? "off" : "verify");
  if (mode === "off" || host === null) return { verify: false };
  return { verify: true, host, caFile: source["DATABASE_CA_FILE"]?.trim() || null };
}

/** Lines as `parseEnv` wants them. */
export function databaseTlsProblems(set: Source): string[] {
  const problems: string[] = [];
  const { DATABASE_URL: url = "", DATABASE_TLS: mode, DATABASE_CA_FILE: caFile } = set;
  const host = URL.canParse(url) ? hostOf(url) : null;
  if (host !== null) {
    const asked = new URL(url).searchParams;
    for (const name of inTheAddress.filter((one) => asked.has(one)))
      problems.push(
        `DATABASE_URL has ${name} in it: leave it out, and set DATABASE_TLS (verify or off) and DATABASE_CA_FILE instead`,
      );
    if (caFile !== undefined && (mode === "off" || (mode !== "verify" && isThisMachine(host))))
      problems.push(
        "DATABASE_CA_FILE is set, and TLS is off: set DATABASE_TLS=verify, or leave it out",
      );
  } else if (mode === "verify")
    problems.push(
      "DATABASE_TLS is verify, and the database is not called over a network: leave it out",
    );
  return problems;
}

/** The host that the driver calls; null: an embedded database, or a socket of this machine. */
function hostOf(url: string): string | null {
  if (!/^postgres(ql)?:/.test(url)) return null;
  const { hostname, searchParams } = new URL(url);
  const host = decodeURIComponent(searchParams.get("host") ?? hostname);
  return host === "" || host.startsWith("/") ? null : host;
}

function isThisMachine(host: string): boolean {
  const address = `http://${host.includes(":") && !host.startsWith("[") ? `[${host}]` : host}`;
  return URL.canParse(address) && isLoopback(new URL(address));
}
