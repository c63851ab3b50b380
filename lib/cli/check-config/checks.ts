import { errorCode, networkErrorOf, type NetworkError } from "@/lib/platform/runtime/network-error";
import { keyProblems } from "@/lib/cli/key-lines";
import { databaseFailure } from "@/lib/cli/database-failure";
import { hasMarker } from "@/lib/cli/demo/data";
import { compareClocks, isOff } from "@/lib/platform/database/clock";
import { schemaState } from "@/lib/platform/database/migrate";
import { isPostgres, openDatabase, type Db } from "@/lib/platform/database/open";
import { writeFault } from "@/lib/platform/database/unavailable";
import type { Env } from "@/lib/platform/env/env";
import { keyringOf } from "@/lib/platform/secrets/envelope";
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { reachService } from "@/lib/platform/payment-service/reach";
import packageJson from "@/package.json";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";

/**
 * One check of the configuration, for the operator: its subject, and what to do. `stops`: Gancho would not start;
 * `fails`: it would start, and part of it would not work; `note`: nothing is wrong, but it is worth knowing.
 */
export type Check = { status: "ok" | "note" | "fails" | "stops"; subject: string; message: string };

export function check(status: Check["status"], subject: string, message: string): Check {
  return { status, subject, message };
}

const untrusted =
  "has a certificate of an authority that Node does not trust: set NODE_EXTRA_CA_CERTS to the file of your authority (in .env it works for a release alone)";
const silent = "does not answer: check the address, and what a firewall lets through";

/** Each text follows a host or an address. */
const reasons: Record<NetworkError, string> = {
  refused: "cannot be reached: nothing listens there",
  unreachable: silent,
  timed_out: silent,
  name_not_found: "has a host name that was not found: check the address, and this machine's DNS",
  certificate_expired: "has a certificate that has expired",
  certificate_not_yet_valid: "has a certificate that is not valid yet: check both clocks",
  certificate_wrong_name: "has a certificate for another name: check the address",
  certificate_self_signed: untrusted,
  certificate_untrusted: untrusted,
};

/** Describes an error of the network or of TLS, without the address. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error && error.name === "AbortError") return reasons.timed_out;
  const code = errorCode(error) ?? "";
  const known = networkErrorOf(code);
  return known ? reasons[known] : `failed (${code})`;
}

/** Whether the database can be reached and used. Changes nothing. */
export async function checkDatabase(config: Env): Promise<Check[]> {
  const url = config.databaseUrl.reveal();
  const file = path.resolve(url.replace(/^file:/, ""));
  // Opening it would create it.
  if (!isPostgres(url) && !existsSync(file)) return [newFile(file)];
  const db = openDatabase(url);
  try {
    return await queryDatabase(db, config);
  } catch (error) {
    return [check("stops", "database", databaseFailure(config.databaseUrl, error).message)];
  } finally {
    await db.destroy();
  }
}

function newFile(file: string): Check {
  const folder = path.dirname(file);
  return isWritable(folder)
    ? check("ok", "database", `${file} is not there yet; the first start makes it`)
    : check(
        "stops",
        "database",
        `${file} cannot be created: let this user write to ${folder}, or set DATABASE_URL`,
      );
}

/** Whether a start could write to the folder: one that is missing is created in the nearest existing one. */
export function isWritable(folder: string): boolean {
  const at = path.resolve(folder);
  try {
    accessSync(path.join(at, path.sep), constants.W_OK | constants.X_OK);
    return true;
  } catch (error) {
    const isGone = errorCode(error) === "ENOENT";
    return isGone && at !== path.dirname(at) && isWritable(path.dirname(at));
  }
}

async function queryDatabase(db: Db, config: Env): Promise<Check[]> {
  const schema = await schemaState(db);
  const found = [
    check("ok", "database", "answers"),
    ...clockChecks(await compareClocks(db)),
    tables[schema],
  ];
  if (schema !== "current") return found;
  if (config.mode === "production" && (await hasMarker(db, "demo")))
    found.push(
      check(
        "stops",
        "database",
        "is the demo's, whose passwords are public: set DATABASE_URL to another",
      ),
    );
  const fault = await writeFault(db);
  if (fault) found.push(check("stops", "database", `takes no writes: ${writeFaults[fault]}`));
  const problems = await keyProblems(db, keyringOf(config.encryptionKeys));
  return [
    ...found,
    ...(problems.length > 0
      ? problems.map((line) => check("stops", "encryption keys", line))
      : [check("ok", "encryption keys", "decrypt what the database has")]),
  ];
}

const tables = {
  current: check("ok", "tables", "are up to date"),
  older: check("note", "tables", "are not there yet, or not up to date: the next start migrates"),
  newer: check(
    "stops",
    "tables",
    "a newer release has changed them so that this one cannot work with them: start that one, or restore the backup from before the upgrade",
  ),
};

const writeFaults = {
  no_answer: "it does not answer them in time; look at its log and its disk",
  disk_full: "its disk is full; free some space",
  read_only: "point DATABASE_URL to the primary server",
};

function clockChecks(aheadMs: number | null): Check[] {
  if (aheadMs === null) return [];
  if (!isOff(aheadMs)) return [check("ok", "clock", "this machine's agrees with the database's")];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  return [
    check(
      "fails",
      "clock",
      `this machine's is ${seconds} seconds ${aheadMs > 0 ? "ahead of" : "behind"} the database's: synchronise both, for example with chrony`,
    ),
  ];
}

const waitMs = 5_000;

/** The payment service has to refuse a request for a token without credentials. */
export function checkPaymentService({ environments }: Env): Promise<Check[]> {
  return Promise.all(
    [...environments].map(async ([name, baseUrl]) => {
      const subject = `payment service ${name}`;
      const reached = await reachService(baseUrl, `gancho/${packageJson.version}`);
      if ("fault" in reached)
        return check("fails", subject, `${baseUrl} ${faults[reached.fault] ?? reached.fault}`);
      const { status } = reached;
      return status === 401
        ? check("ok", subject, `${baseUrl} answers, and asks for credentials, as it should`)
        : check("fails", subject, `${baseUrl} ${inWords(status)}`);
    }),
  );
}

function inWords(status: number): string {
  if (status === 403)
    return "does not allow this machine's address: ask the payment service to allow it, and set GANCHO_PUBLIC_ADDRESS to it";
  if (status === 429 || status >= 500)
    return `answers ${status}: it is there, and cannot serve now`;
  return `answers ${status} where the payment service asks for credentials: check PARTNER_API_ENVIRONMENTS`;
}

const faults: Partial<Record<FaultCode, string>> = {
  connection_refused: reasons.refused,
  connection_failed:
    "closed the connection, or does not speak HTTP over TLS: check the address and the port",
  name_not_found: reasons.name_not_found,
  upstream_timeout: reasons.timed_out,
  certificate_expired: reasons.certificate_expired,
  certificate_wrong_name: reasons.certificate_wrong_name,
  certificate_untrusted: reasons.certificate_untrusted,
  bad_response: "does not answer as an HTTP server: check the address and the port",
};

/** Connects to what else Gancho calls, and sends nothing. */
export function checkReached({ oidc, mail, alertsWebhook, egressProxy }: Env): Promise<Check[]> {
  const ports = {
    "single sign-on": oidc && portOf(oidc.issuer),
    mail: mail && portOf(mail.url.reveal()),
    "alerts webhook": alertsWebhook && portOf(alertsWebhook.url.reveal()),
    "proxy of endpoint checks": egressProxy && { ...egressProxy, secure: false },
  };
  return Promise.all(
    Object.entries(ports).map(([subject, port]) =>
      port ? reach(subject, port) : check("note", subject, "is not set up"),
    ),
  );
}

type Port = { host: string; port: number; secure: boolean };

const defaultPorts: Record<string, number> = { "https:": 443, "smtps:": 465, "smtp:": 587 };

function portOf(url: string): Port {
  const { protocol, hostname, port } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (defaultPorts[protocol] ?? 80),
    secure: protocol === "https:" || protocol === "smtps:",
  };
}

async function reach(subject: string, { host, port, secure }: Port): Promise<Check> {
  const socket = secure
    ? tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) })
    : net.connect({ host, port });
  try {
    const signal = AbortSignal.timeout(waitMs);
    await once(socket, secure ? "secureConnect" : "connect", { signal });
    return check("ok", subject, `${host}, port ${port} is reached; nothing was sent`);
  } catch (error) {
    return check("fails", subject, `${host} ${reasonOf(error)}`);
  } finally {
    socket.on("error", () => undefined).destroy();
  }
}
