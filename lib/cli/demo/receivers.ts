import { listen } from "@/lib/cli/dashboard-server";
import { readBounded } from "@/lib/platform/runtime/bounded-body";
import { createTestAuthority, type Certificate } from "@/lib/tools/certificates";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import https from "node:https";
import path from "node:path";
import { createSecureContext, type SecureContext } from "node:tls";

/** The value that the demo's receivers require; the demo registers the same one. */
export const demoValue = "Bearer demo-lojaaurora-4f1c9a7e25d8";
/** The same in production, where the address has this path. */
export const liveValue = "Bearer demo-lojaaurora-72e0d35b9c18";
export const livePath = "/pix/live";

/** What an address of the demo's receivers does, to try every outcome of a check. */
export function demoReceivers(port: number): readonly (readonly [url: string, does: string])[] {
  const at = (host: string, rest: string) => `https://${host}.localhost:${port}${rest}`;
  return [
    [
      at("hooks.lojaaurora", "/pix"),
      "requires the registered value, and adopts a newly generated one",
    ],
    [at("hooks.tiete", "/pix"), "requires a value once Tietê Pagamentos has generated one"],
    [at("hooks.lojaaurora", livePath), "requires the value of production"],
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

/** Receivers of a partner who has registered nothing yet. */
const newcomer = { host: "hooks.tiete.", partner: "tiete" };
/** The partner whose receivers the others are, and who has `demoValue`. */
const owner = "aurora";

/**
 * A receiver with a quick developer: it accepts a generated value beside the previous one as soon as a check of its own
 * partner brings it, and alone once it sees it again, as after a save. It refuses everything else.
 */
function changing(owner: string, first: string): (given: string, partner: unknown) => boolean {
  let [now, next] = [first, ""];
  return (given, partner) => {
    if (next !== "" && given === next) [now, next] = [next, ""];
    const isNew = given !== now && /^Bearer [\w-]{43}$/.test(given);
    if (isNew && partner === owner) next = given;
    return given !== "" && (given === now || given === next);
  };
}

type About = { partner?: unknown; type?: unknown };

/** What a check's message is about. Does not throw. */
async function aboutOf(message: AsyncIterable<Uint8Array>): Promise<About> {
  try {
    const body = await readBounded(message, 1_000, 100_000);
    return (JSON.parse(body?.toString() ?? "") as About | null) ?? {};
  } catch {
    return {};
  }
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
  const known = new Map<string, ReturnType<typeof changing>>();
  const server = https.createServer(
    {
      ...certificateFor("localhost"),
      SNICallback: (name, done) => done(null, contextFor(name)),
    },
    (request, response) => {
      void aboutOf(request).then((about) => answer(request, response, about));
    },
  );
  function answer(request: IncomingMessage, response: ServerResponse, about: About): void {
    const [pathname = "/"] = (request.url ?? "/").split("?", 1);
    // Each type has its own value.
    const address = `${request.headers.host ?? ""}${pathname} ${String(about.type)}`;
    const accepts =
      known.get(address) ??
      (address.startsWith(newcomer.host)
        ? changing(newcomer.partner, "")
        : changing(owner, pathname === livePath ? liveValue : demoValue));
    // Bounded: clients choose the addresses.
    if (known.size < 100) known.set(address, accepts);
    const isKnown = accepts(request.headers.authorization ?? "", about.partner);
    const answers: Record<string, () => void> = {
      "/open": () => response.writeHead(200).end("ok"),
      "/refuses": () => response.writeHead(401).end(),
      "/redirects": () => response.writeHead(302, { location: "https://other.example/" }).end(),
      "/fails": () => response.writeHead(500).end(),
      "/silent": () => undefined,
      "/closes": () => request.socket.destroy(),
      "/endless": () => response.writeHead(200).write("x".repeat(200_000)),
    };
    const give = answers[pathname] ?? (() => response.writeHead(isKnown ? 204 : 401).end());
    give();
  }
  server.on("clientError", (_error, socket) => socket.destroy());
  await listen(server, port, "127.0.0.1");

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
