import { createTestAuthority, type Certificate } from "@/lib/tools/certificates";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import https from "node:https";
import path from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";

/** The value that the demo's receivers require; the demo registers the same one. */
export const demoValue = "Bearer demo-lojaaurora-4f1c9a7e25d8";

/** What an address of the demo's receivers does, to try every outcome of a check. */
export function demoReceivers(port: number): readonly (readonly [url: string, does: string])[] {
  const at = (host: string, rest: string) => `https://${host}.localhost:${port}${rest}`;
  return [
    [
      at("hooks.lojaaurora", "/pix"),
      "requires the registered value, and adopts a newly generated one",
    ],
    [
      at("notificacoes.mercadocentral", "/open"),
      "accepts everything, and has a certificate for 6 more days",
    ],
    [at("hooks", "/refuses"), "refuses every value"],
    [at("hooks", "/redirects"), "redirects"],
    [at("hooks", "/fails"), "answers 500"],
    [at("hooks", "/silent"), "never answers"],
    [at("hooks", "/closes"), "closes the connection"],
    [at("hooks", "/endless"), "sends a body without end"],
    [at("expires-soon", "/pix"), "has a certificate for 6 more days"],
    [at("expired", "/pix"), "has an expired certificate"],
    [at("wrong-name", "/pix"), "has a certificate for another name"],
    [at("self-signed", "/pix"), "has a certificate that signed itself"],
  ];
}

/**
 * A receiver with a quick developer: it accepts a generated value beside the previous one as soon as it sees it, and
 * alone once it sees it again, as after a save. It refuses everything else.
 */
function changing(): (given: string) => boolean {
  let [now, next] = [demoValue, ""];
  return (given) => {
    if (next !== "" && given === next) [now, next] = [next, ""];
    if (given !== now && /^Bearer [\w-]{43}$/.test(given)) next = given;
    return given !== "" && (given === now || given === next);
  };
}

export type Receivers = {
  /** The file with the certificate authority, which only the dashboard of this demo trusts. */
  caFile: string;
  close: () => Promise<void>;
};

/** Listens on loopback alone, with a certificate authority that ends with this process. */
export async function startReceivers(port: number, dataDir: string): Promise<Receivers> {
  const authority = createTestAuthority();
  const contexts = new Map<string, SecureContext>();
  const contextFor = (name: string): SecureContext => {
    const known = contexts.get(name) ?? createSecureContext(certificateFor(name));
    // Bounded: clients choose the names.
    if (contexts.size < 100) contexts.set(name, known);
    return known;
  };
  const certificateFor = (name: string): Certificate => {
    const names = [name.startsWith("wrong-name.") ? "other.example" : name];
    const toDay = /^(expires-soon|notificacoes\.mercadocentral)\./.test(name) ? 6.5 : 71.5;
    if (name.startsWith("self-signed.")) return authority.selfSigned({ names, toDay });
    if (name.startsWith("expired.")) return authority.issue({ names, fromDay: -90, toDay: -2.5 });
    return authority.issue({ names, toDay });
  };
  const known = new Map<string, (given: string) => boolean>();
  const server = https.createServer(
    {
      ...certificateFor("localhost"),
      SNICallback: (name, done) => done(null, contextFor(name)),
    },
    (request, response) => {
      request.resume();
      const [pathname = "/"] = (request.url ?? "/").split("?", 1);
      const address = `${request.headers.host ?? ""}${pathname}`;
      const accepts = known.get(address) ?? changing();
      // Bounded: clients choose the addresses.
      if (known.size < 100) known.set(address, accepts);
      const isKnown = accepts(request.headers.authorization ?? "");
      const answers: Record<string, () => void> = {
        "/open": () => response.writeHead(200).end("ok"),
        "/refuses": () => response.writeHead(401).end(),
        "/redirects": () => response.writeHead(302, { location: "https://other.example/" }).end(),
        "/fails": () => response.writeHead(500).end(),
        "/silent": () => undefined,
        "/closes": () => request.socket.destroy(),
        "/endless": () => response.writeHead(200).write("x".repeat(200_000)),
      };
      const answer = answers[pathname] ?? (() => response.writeHead(isKnown ? 204 : 401).end());
      answer();
    },
  );
  server.on("clientError", (_error, socket) => socket.destroy());
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  const caFile = path.join(dataDir, "receivers-ca.pem");
  writeFileSync(caFile, authority.ca, { mode: 0o600 });
  chmodSync(caFile, 0o600);
  return {
    caFile,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
