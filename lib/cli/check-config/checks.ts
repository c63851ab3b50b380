import { errorCode, networkErrorOf, type NetworkError } from "@/lib/platform/runtime/network-error";
import { metadataAddress, metadataFault } from "@/lib/platform/auth/oidc/attempt";
import { type Env, unknownVariables } from "@/lib/platform/env/env";
import {
  errorOf,
  openOutbound,
  outboundDispatcher,
  OutboundError,
  outboundFaults,
  proxyFor,
} from "@/lib/platform/egress/outbound";
import { openConnection } from "@/lib/platform/egress/open";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { reachService } from "@/lib/platform/payment-service/reach";
import { readBounded } from "@/lib/platform/runtime/bounded-body";
import packageJson from "@/package.json";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { request } from "undici";
import * as z from "zod";

/**
 * One check of the configuration, for the operator: its subject, and what to do. `stops`: Gancho would not start;
 * `fails`: it would start, and part of it would not work; `note`: nothing is wrong, but it is worth knowing.
 */
export type Check = { status: "ok" | "note" | "fails" | "stops"; subject: string; message: string };

export function check(status: Check["status"], subject: string, message: string): Check {
  return { status, subject, message };
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
  // fetch's own.
  if (error instanceof TypeError && error.cause !== undefined) return reasonOf(error.cause);
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (error instanceof Error && /^(?:Abort|Timeout)Error$/.test(error.name))
    return reasons.timed_out;
  const code = errorCode(error) ?? "";
  if (error instanceof OutboundError) return `is not reached: ${error.message}`;
  const known = networkErrorOf(code);
  return known ? reasons[known] : `failed (${code})`;
}

const waitMs = 5_000;

/** The payment service has to refuse a request for a token without credentials. */
export function checkPaymentService(env: Env): Promise<Check[]> {
  return Promise.all(
    [...env.environments].map(async ([name, baseUrl]) => {
      const subject = `payment service ${name}`;
      const reached = await reachService(baseUrl, {
        userAgent: `gancho/${packageJson.version}`,
        proxyFor: (host) => proxyFor(host, env),
      });
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
  proxy_failed: `is not reached: ${outboundFaults.PROXY_FAILED}`,
  proxy_password: `is not reached: ${outboundFaults.PROXY_PASSWORD}`,
  proxy_refused: `is not reached: ${outboundFaults.PROXY_REFUSED}`,
  bad_response: "does not answer as an HTTP server: check the address and the port",
};

/**
 * Reads the metadata of the provider of single sign-on, and connects to what else Gancho calls, without sending anything.
 * Nothing of an address that may have a password in it is printed: where one is not encoded, a part of it is the host.
 */
export function checkReached(env: Env): Promise<Check[]> {
  const { oidc, mail, alertsWebhook, outboundProxy, egressProxy } = env;
  const ownProxy = egressProxy === outboundProxy ? null : egressProxy;
  const ports = {
    "outbound proxy": outboundProxy && { name: "OUTBOUND_PROXY", ...outboundProxy, secure: false },
    mail: mail && { name: "SMTP_URL", ...portOf(mail.url.reveal()) },
    "alerts webhook": alertsWebhook && {
      name: "ALERTS_URL",
      ...portOf(alertsWebhook.url.reveal()),
    },
    "proxy of endpoint checks": ownProxy && { name: "EGRESS_PROXY", ...ownProxy, secure: false },
  };
  return Promise.all([
    ...(outboundProxy && !ownProxy && env.endpointChecks !== "off"
      ? [
          check(
            "note",
            "endpoint checks",
            "leave through OUTBOUND_PROXY: it must refuse private addresses, or EGRESS_PROXY name one that does",
          ),
        ]
      : []),
    oidc ? checkProvider(oidc.issuer, env) : notSetUp("single sign-on"),
    ...Object.entries(ports).map(([subject, port]) =>
      port ? reach(subject, port, env) : notSetUp(subject),
    ),
  ]);
}

const notSetUp = (subject: string) => check("note", subject, "is not set up");

const metadata = z.object({
  issuer: z.string(),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
});

const maxMetadataBytes = 256 * 1024;

/** As signing in does, which nobody could where this fails. */
async function checkProvider(issuer: string, env: Env): Promise<Check> {
  const subject = "single sign-on";
  const fails = (message: string) => check("fails", subject, message);
  const address = metadataAddress(issuer);
  try {
    const answer = await request(address, {
      dispatcher: outboundDispatcher(env),
      signal: AbortSignal.timeout(waitMs),
    });
    if (answer.statusCode !== 200)
      return fails(`${issuer} answers ${answer.statusCode} at ${address}: check OIDC_ISSUER`);
    const body = await readBounded(answer.body, maxMetadataBytes);
    const { data } = metadata.safeParse(parsed(body?.toString() ?? ""));
    if (!data)
      return fails(
        `${issuer} answers at ${address} with something else than a provider's metadata: check OIDC_ISSUER`,
      );
    const fault = metadataFault(data, issuer);
    return fault === null
      ? check("ok", subject, `${issuer} answers with its metadata`)
      : fails(`${issuer}: ${fault}`);
  } catch (error) {
    return fails(`${issuer} ${reasonOf(error)}`);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

type Port = { name: string; host: string; port: number; secure: boolean };

const defaultPorts: Record<string, number> = { "https:": 443, "smtps:": 465, "smtp:": 587 };

function portOf(url: string): Omit<Port, "name"> {
  const { protocol, hostname, port } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (defaultPorts[protocol] ?? 80),
    secure: protocol === "https:" || protocol === "smtps:",
  };
}

/** A proxy itself is reached without one. */
async function reach(
  subject: string,
  { name, host, port, secure }: Port,
  env: Env,
): Promise<Check> {
  const to = { host, port, secure, timeoutMs: waitMs };
  const opened = await (name.endsWith("_PROXY")
    ? openConnection({ ...to, proxy: null })
    : openOutbound(to, env));
  if (!opened.ok)
    return check("fails", subject, `the host of ${name} ${reasonOf(errorOf(opened))}`);
  opened.socket.destroy();
  return check("ok", subject, `the host of ${name} is reached; nothing was sent`);
}

/** Variables that look like Gancho's and are none: what was meant by them does not hold. */
export function checkNames(source: Readonly<Record<string, string | undefined>>): Check[] {
  return unknownVariables(source).map(({ name, meant }) =>
    check(
      meant === null ? "note" : "fails",
      "variables",
      `${name} is no variable of Gancho's, so it does nothing${meant === null ? "" : `: did you mean ${meant}?`}`,
    ),
  );
}
