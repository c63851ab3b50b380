import "server-only";
import type { Secret } from "@/lib/platform/runtime/secret";
import http from "node:http";
import net from "node:net";
import tls from "node:tls";

/** The operator's forward proxy, which resolves names. */
export type Proxy = { host: string; port: number; authorization: Secret | null };

export type Certificate = {
  names: string[];
  issuer: string;
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
};

export type TlsFacts = { version: string | null; certificate: Certificate | null; ms: number };

export type ProxyFault = "proxy_failed" | "proxy_password" | "proxy_refused";

type Stage = "connect" | "tls";

export type Opened =
  | { ok: true; socket: net.Socket; tls: TlsFacts | null }
  | {
      ok: false;
      /** How far it came: TCP and the proxy's tunnel, then TLS. */
      stage: Stage;
      because: ProxyFault | "timed_out" | { error: Error };
      isProxied: boolean;
      /** What was learned of TLS before it failed. */
      tls: TlsFacts | null;
    };

export type Way = {
  /** A name, or an address without brackets; its certificate is verified for it. */
  host: string;
  port: number;
  secure: boolean;
  /** Where TCP goes in place of `host`: its address, chosen before. */
  address?: string | null;
  proxy: Proxy | null;
  /** For all of it, milliseconds. */
  timeoutMs: number;
  /** Gives up. */
  signal?: AbortSignal;
  /** PEM certificates to trust instead of the ones that Node knows. */
  ca?: string | undefined;
  /** For tests: in place of the network. */
  dial?: ((to: { host: string; port: number }) => net.Socket) | undefined;
};

/** Of a proxy's answer to CONNECT. */
const maxHeadBytes = 16 * 1024;

/**
 * Opens a connection, by itself or through the proxy's tunnel, with TLS that is verified for the host. Every call that
 * leaves Gancho for the payment service or for a partner's receiver goes over one. Nothing was sent on it yet but what
 * opens it. TLS sessions are not resumed: a resumed one is not verified again. Does not reject.
 */
export function openConnection(way: Way): Promise<Opened> {
  const { host, port, secure, address, proxy, timeoutMs, signal, ca, dial = net.connect } = way;
  const began = performance.now();
  return new Promise((resolve) => {
    let stage: Stage = "connect";
    let secured: tls.TLSSocket | null = null;
    let certificate: Certificate | null = null;
    let over = false;
    const facts = (): TlsFacts => ({
      version: secured?.getProtocol() ?? null,
      certificate,
      ms: Math.round(performance.now() - began),
    });
    const end = (opened: Opened) => {
      if (over) return;
      over = true;
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      if (!opened.ok) {
        secured?.destroy();
        raw.destroy();
      }
      resolve(opened);
    };
    const fail = (because: Extract<Opened, { ok: false }>["because"]) =>
      end({
        ok: false,
        stage,
        because,
        isProxied: proxy !== null,
        tls: stage === "tls" ? facts() : null,
      });
    const lose = (error: Error) => fail(proxy && stage === "connect" ? "proxy_failed" : { error });
    const giveUp = () => fail("timed_out");
    const timer = setTimeout(
      () => fail(proxy && raw.connecting ? "proxy_failed" : "timed_out"),
      timeoutMs,
    );
    signal?.addEventListener("abort", giveUp, { once: true });

    const raw = dial(proxy ?? { host: address ?? host, port });
    raw.setNoDelay(true);
    // Also once it is over: a socket without a listener would end the process.
    raw.on("error", lose);
    const closed = () => lose(new Error("closed"));
    raw.once("close", closed);
    raw.once("connect", () => {
      if (proxy) tunnel(proxy);
      else agreeOnTls();
    });
    if (signal?.aborted) giveUp();

    function tunnel({ authorization }: Proxy) {
      const to = `${net.isIPv6(host) ? `[${host}]` : host}:${port}`;
      const request = http.request({
        method: "CONNECT",
        path: to,
        headers: {
          host: to,
          ...(authorization && { "proxy-authorization": authorization.reveal() }),
        },
        createConnection: () => raw,
        maxHeaderSize: maxHeadBytes,
        insecureHTTPParser: false,
      });
      request.on("error", () => fail("proxy_failed"));
      request.on("connect", ({ statusCode }, _socket, early: Buffer) => {
        if (statusCode === 407) fail("proxy_password");
        else if (statusCode !== 200) fail("proxy_refused");
        else if (early.length > 0) fail("proxy_failed");
        else agreeOnTls();
      });
      request.end();
    }

    function agreeOnTls() {
      if (over) return;
      if (!secure) {
        raw.off("close", closed);
        end({ ok: true, socket: raw, tls: null });
        return;
      }
      stage = "tls";
      secured = tls.connect({
        socket: raw,
        host,
        // An IP address takes no SNI.
        ...(net.isIP(host) === 0 && { servername: host }),
        ...(ca !== undefined && { ca }),
        ALPNProtocols: ["http/1.1"],
        minVersion: "TLSv1.2",
        // Explicit, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
        rejectUnauthorized: true,
      });
      const socket = secured;
      // Before verification: its names and dates explain a refusal.
      socket.prependListener("secure", () => {
        certificate = certificateOf(socket.getPeerCertificate());
      });
      socket.on("error", lose);
      socket.once("secureConnect", () => {
        raw.off("close", closed);
        end({ ok: true, socket, tls: facts() });
      });
    }
  });
}

/** Its names and dates, and nothing else. */
function certificateOf(peer: tls.PeerCertificate | undefined): Certificate | null {
  if (!peer?.valid_to) return null;
  const names = (peer.subjectaltname ?? "")
    .split(", ")
    .flatMap((entry) => /^(?:DNS|IP Address):([\x21-\x7e]{1,253})$/.exec(entry)?.[1] ?? []);
  // A repeated field is a list.
  const issuer = [peer.issuer.CN ?? peer.issuer.O].flat()[0] ?? "";
  return {
    names: names.slice(0, 10),
    issuer: issuer.replace(/[^\x20-\x7e]/g, "?").slice(0, 64),
    validFrom: isoDate(peer.valid_from),
    validTo: isoDate(peer.valid_to),
  };
}

function isoDate(text: string): string {
  const at = Date.parse(text);
  return new Date(Number.isNaN(at) ? 0 : at).toISOString();
}
