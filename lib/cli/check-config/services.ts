import { errorCode } from "@/lib/platform/runtime/error-code";
import { clientOptions } from "@/lib/platform/auth/oidc/client-options";
import { discover, type ProviderMetadata } from "@/lib/platform/auth/oidc/discovery";
import type { Env, SingleSignOnSettings } from "@/lib/platform/env/env";
import { tryMailServer } from "@/lib/platform/mail/send-mail";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { reachService } from "@/lib/platform/payment-service/reach";
import { readBounded } from "@/lib/platform/runtime/bounded-body";
import packageJson from "@/package.json";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { request } from "undici";
import * as z from "zod";
import { finding, knownReason, reasonOf, reasons, type Finding } from "./finding";

const waitMs = 5_000;

export async function checkPaymentService(config: Env): Promise<Finding[]> {
  return Promise.all([...config.environments].map(([name, url]) => checkEnvironment(name, url)));
}

async function checkEnvironment(name: string, baseUrl: string): Promise<Finding> {
  const about = `payment service ${name}`;
  const reached = await reachService(baseUrl, `gancho/${packageJson.version}`);
  if ("fault" in reached)
    return finding(
      "fails",
      about,
      `${baseUrl} ${serviceFaults[reached.fault] ?? `failed (${reached.fault})`}`,
    );
  const { status } = reached;
  if (status === 401)
    return finding("ok", about, `${baseUrl} answers, and asks for credentials, as it should`);
  if (status === 403)
    return finding(
      "fails",
      about,
      `${baseUrl} does not allow this machine's address: ask the payment service to allow it, and set GANCHO_PUBLIC_ADDRESS to it`,
    );
  if (status === 429 || status >= 500)
    return finding(
      "fails",
      about,
      `${baseUrl} answers ${status}: it is there, and cannot serve now`,
    );
  if (status >= 200 && status < 300)
    return finding(
      "fails",
      about,
      `${baseUrl} answers ${status} to nobody in particular: that is not the payment service; check PARTNER_API_ENVIRONMENTS`,
    );
  return finding(
    "fails",
    about,
    `${baseUrl} answers ${status} where the payment service asks for credentials: check PARTNER_API_ENVIRONMENTS`,
  );
}

const serviceFaults: Partial<Record<FaultCode, string>> = {
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

export async function checkProvider({ oidc, url }: Env): Promise<Finding[]> {
  const about = "single sign-on";
  if (!oidc)
    return [finding("note", about, "is not set up: people sign in by password or passkey")];
  const discovery = await discover(oidc.issuer);
  if (discovery.outcome === "failed") {
    const [, code] = /: (\w+)$/.exec(discovery.why) ?? [];
    const reason = knownReason(code);
    return [finding("fails", about, reason ? `${oidc.issuer} ${reason}` : discovery.why)];
  }
  const { metadata } = discovery;
  const found = [finding("ok", about, `${oidc.issuer} describes itself as OIDC_ISSUER says`)];
  for (const check of [checkKeys(metadata), checkClient(metadata, oidc, url)])
    found.push(
      await check.catch((error: unknown) =>
        finding("fails", about, `one of the provider's endpoints ${reasonOf(error)}`),
      ),
    );
  return found;
}

async function checkKeys({ jwks_uri }: ProviderMetadata): Promise<Finding> {
  const { statusCode, text } = await fetchText(jwks_uri);
  const keys =
    statusCode === 200
      ? z.object({ keys: z.array(z.unknown()).min(1) }).safeParse(json(text))
      : null;
  return keys?.success
    ? finding("ok", "single sign-on", "its signing keys can be read")
    : finding(
        "fails",
        "single sign-on",
        `${jwks_uri} answers ${statusCode} without signing keys: ask whoever runs the provider`,
      );
}

/**
 * Redeems an invented code: a provider that knows this client refuses the code, and another one the client (RFC 6749,
 * 5.2).
 */
async function checkClient(
  metadata: ProviderMetadata,
  oidc: SingleSignOnSettings,
  own: URL,
): Promise<Finding> {
  const about = "single sign-on";
  const secret = oidc.clientSecret.reveal();
  const isBasic = clientOptions(metadata).token_endpoint_auth_method === "client_secret_basic";
  const form = new URLSearchParams({
    grant_type: "authorization_code",
    code: randomBytes(24).toString("hex"),
    code_verifier: randomBytes(32).toString("base64url"),
    redirect_uri: `${own.origin}/api/auth/callback/oidc`,
    ...(!isBasic && { client_id: oidc.clientId, client_secret: secret }),
  });
  const { statusCode, text } = await fetchText(
    metadata.token_endpoint,
    {
      "content-type": "application/x-www-form-urlencoded",
      ...(isBasic && {
        authorization: `Basic ${Buffer.from(`${encoded(oidc.clientId)}:${encoded(secret)}`).toString("base64")}`,
      }),
    },
    form.toString(),
  );
  const error = z.object({ error: z.string() }).safeParse(json(text)).data?.error;
  if (error === "invalid_client" || statusCode === 401)
    return finding(
      "fails",
      about,
      "the provider refuses OIDC_CLIENT_ID and OIDC_CLIENT_SECRET: compare them with what is registered there",
    );
  if (error === "unauthorized_client")
    return finding(
      "fails",
      about,
      "the provider does not let this client use the authorization code flow: allow it there",
    );
  if (error === "invalid_grant")
    return finding("ok", about, "the provider takes OIDC_CLIENT_ID and OIDC_CLIENT_SECRET");
  return finding(
    "note",
    about,
    `the provider does not say whether it takes OIDC_CLIENT_ID and OIDC_CLIENT_SECRET (it answers ${statusCode}): sign in once`,
  );
}

/** Form-encoded (RFC 6749, 2.3.1). */
function encoded(text: string): string {
  return new URLSearchParams({ a: text }).toString().slice(2);
}

async function fetchText(address: string, headers: Record<string, string> = {}, body?: string) {
  const answer = await request(address, {
    method: body === undefined ? "GET" : "POST",
    headers: { accept: "application/json", ...headers },
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(waitMs),
  });
  const bytes = await readBounded(answer.body, 256 * 1024);
  return { statusCode: answer.statusCode, text: bytes?.toString("utf8") ?? "" };
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export async function checkMail({ mail }: Env): Promise<Finding[]> {
  if (!mail)
    return [
      finding(
        "note",
        "mail",
        "is not set up: links are handed over by people, and nobody is mailed an alert",
      ),
    ];
  const { hostname } = new URL(mail.url.reveal());
  try {
    await tryMailServer(mail);
    return [finding("ok", "mail", `${hostname} takes mail from here; none was sent`)];
  } catch (error) {
    return [finding("fails", "mail", `${hostname} ${mailReason(error)}`)];
  }
}

/** By the library's codes: its messages quote the server. */
function mailReason(error: unknown): string {
  const code = errorCode(error) ?? "";
  if (code === "EAUTH") return "refuses the user and password of SMTP_URL";
  if (code === "ETLS")
    return "offers no TLS: use smtps://, or the port on which it offers STARTTLS";
  const cause: unknown = error instanceof Error && "cause" in error ? error.cause : undefined;
  if ((code === "ESOCKET" || code === "ECONNECTION" || code === "EDNS") && cause !== undefined)
    return reasonOf(cause);
  const [, inside] =
    /\b(E[A-Z]{5,}|[A-Z]+(?:_[A-Z]+){2,})\b/.exec(error instanceof Error ? error.message : "") ??
    [];
  return knownReason(inside) ?? reasonOf(error);
}

/** Posts nothing: the receiver of alerts must not get one that is none. */
export async function checkAlerts({ alertsWebhook }: Env): Promise<Finding[]> {
  if (!alertsWebhook) return [finding("note", "alerts webhook", "is not set up")];
  const { protocol, hostname, port } = new URL(alertsWebhook.url.reveal());
  const secure = protocol === "https:";
  return checkPort("alerts webhook", hostname, Number(port) || (secure ? 443 : 80), secure);
}

export async function checkEgressProxy({ egressProxy }: Env): Promise<Finding[]> {
  if (!egressProxy) return [];
  return checkPort("proxy of endpoint checks", egressProxy.host, egressProxy.port, false);
}

async function checkPort(
  about: string,
  hostname: string,
  port: number,
  secure: boolean,
): Promise<Finding[]> {
  const host = hostname.replace(/^\[|\]$/g, "");
  const socket = secure
    ? tls.connect({
        host,
        port,
        ...(net.isIP(host) === 0 && { servername: host }),
        rejectUnauthorized: true,
      })
    : net.connect({ host, port });
  try {
    await once(socket, secure ? "secureConnect" : "connect", {
      signal: AbortSignal.timeout(waitMs),
    });
    return [
      finding(
        "ok",
        about,
        `${host} is reached${secure ? ", its certificate verified" : ""}; nothing was sent`,
      ),
    ];
  } catch (error) {
    const isLate = error instanceof Error && error.name === "AbortError";
    return [finding("fails", about, `${host} ${isLate ? reasons.timed_out : reasonOf(error)}`)];
  } finally {
    socket.on("error", () => undefined).destroy();
  }
}
