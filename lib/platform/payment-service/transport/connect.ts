import net from "node:net";
import tls from "node:tls";
import type { buildConnector } from "undici";

type Options = {
  /** Name, TCP and TLS together, milliseconds. */
  timeoutMs: number;
  /** PEM certificates to trust instead of the ones that Node knows. */
  ca?: string | undefined;
  /** Hands over the socket as soon as it exists, so that it can be destroyed before it is connected. */
  onSocket: (socket: net.Socket) => void;
};

/**
 * How undici reaches the payment service. Our own, because undici's counts its timeout in steps of half a second,
 * and remembers TLS sessions: a remembered session is not verified again.
 */
export function connector({ timeoutMs, ca, onSocket }: Options): buildConnector.connector {
  return ({ protocol, hostname, port }, callback) => {
    const secure = protocol === "https:";
    const address = { host: hostname, port: Number(port) || (secure ? 443 : 80) };
    const socket = secure
      ? tls.connect({
          ...address,
          // An address has no name to ask for; the certificate is checked against `host` then.
          ...(net.isIP(hostname) === 0 ? { servername: hostname } : {}),
          ...(ca === undefined ? {} : { ca }),
          ALPNProtocols: ["http/1.1"],
          // Said aloud, so that NODE_TLS_REJECT_UNAUTHORIZED=0 changes nothing here.
          rejectUnauthorized: true,
        })
      : net.connect(address);
    onSocket(socket);
    socket.setNoDelay(true);

    const fail = (error: Error) => {
      clearTimeout(timer);
      callback(error, null);
    };
    const timer = setTimeout(() => {
      socket.destroy(Object.assign(new Error("connect timeout"), { code: "ETIMEDOUT" }));
    }, timeoutMs);
    socket.once("error", fail);
    // Destroyed from outside, which is no error: the timer must not stay behind.
    socket.once("close", () => {
      clearTimeout(timer);
    });
    socket.once(secure ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.removeListener("error", fail);
      callback(null, socket);
    });
  };
}
