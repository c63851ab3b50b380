import type { Env } from "@/lib/platform/env/env";
import type { FaultCode } from "@/lib/platform/payment-service/model/fault";
import { reachService } from "@/lib/platform/payment-service/reach";
import packageJson from "@/package.json";
import { once } from "node:events";
import net from "node:net";
import tls from "node:tls";
import { finding, reasonOf, reasons, type Finding } from "./finding";

const waitMs = 5_000;

/** The payment service has to refuse a list call without credentials. */
export function checkPaymentService({ environments }: Env): Promise<Finding[]> {
  return Promise.all(
    [...environments].map(async ([name, baseUrl]) => {
      const about = `payment service ${name}`;
      const reached = await reachService(baseUrl, `gancho/${packageJson.version}`);
      if ("fault" in reached)
        return finding("fails", about, `${baseUrl} ${faults[reached.fault] ?? reached.fault}`);
      const { status } = reached;
      return status === 401
        ? finding("ok", about, `${baseUrl} answers, and asks for credentials, as it should`)
        : finding("fails", about, `${baseUrl} ${inWords(status)}`);
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
export function checkReached({ oidc, mail, alertsWebhook, egressProxy }: Env): Promise<Finding[]> {
  const ports = {
    "single sign-on": oidc && portOf(oidc.issuer),
    mail: mail && portOf(mail.url.reveal()),
    "alerts webhook": alertsWebhook && portOf(alertsWebhook.url.reveal()),
    "proxy of endpoint checks": egressProxy && { ...egressProxy, secure: false },
  };
  return Promise.all(
    Object.entries(ports).map(([about, port]) =>
      port ? reach(about, port) : finding("note", about, "is not set up"),
    ),
  );
}

type Port = { host: string; port: number; secure: boolean };

const usualPorts: Record<string, number> = { "https:": 443, "smtps:": 465, "smtp:": 587 };

function portOf(url: string): Port {
  const { protocol, hostname, port } = new URL(url);
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port) || (usualPorts[protocol] ?? 80),
    secure: protocol === "https:" || protocol === "smtps:",
  };
}

async function reach(about: string, { host, port, secure }: Port): Promise<Finding> {
  const socket = secure
    ? tls.connect({ host, port, ...(net.isIP(host) === 0 && { servername: host }) })
    : net.connect({ host, port });
  try {
    const signal = AbortSignal.timeout(waitMs);
    await once(socket, secure ? "secureConnect" : "connect", { signal });
    return finding("ok", about, `${host}, port ${port} is reached; nothing was sent`);
  } catch (error) {
    return finding("fails", about, `${host} ${reasonOf(error)}`);
  } finally {
    socket.on("error", () => undefined).destroy();
  }
}
