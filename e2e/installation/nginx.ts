import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "@/lib/cli/root";
import type { Certificate } from "@/lib/tools/certificates";
import { nginxProgram } from "@/lib/tools/test/required-programs";
import { freePort } from "./free-port";
import { startProgram } from "./program";

type Options = {
  certificate: Certificate;
  /** Ports of the two instances, on this machine. */
  ports: readonly [number, number];
  /** For its files. */
  folder: string;
};

/** From where it calls the instances: an address that no client of it has. */
const ownAddress = "127.0.0.2";

/** What clients of it have: the address that an instance reports. */
export const clientAddress = "127.0.0.1";

/**
 * nginx with deploy/nginx.conf, as an operator fills it in for two instances, and with the server that docs/operate.md
 * has for an address of `CAPTURE`.
 */
export async function startNginx({ certificate, ports, folder }: Options) {
  const port = await freePort();
  const file = (name: string) => path.join(folder, name);
  writeFileSync(file("gancho.key"), certificate.key, { mode: 0o600 });
  writeFileSync(file("gancho.pem"), certificate.cert);
  const capturePort = await freePort();
  const site = filledIn("deploy/nginx.conf", textOf("deploy/nginx.conf"), [
    ["server 127.0.0.1:3000 max", `server 127.0.0.1:${ports[0]} max`],
    ["# server 127.0.0.1:3001 max", `server 127.0.0.1:${ports[1]} max`],
    ["/etc/ssl/gancho.pem", file("gancho.pem")],
    ["/etc/ssl/gancho.key", file("gancho.key")],
    ["listen 443 ssl", `listen ${clientAddress}:${port} ssl`],
    ["listen 80", `listen ${clientAddress}:${await freePort()}`],
  ]).replaceAll("gancho.example.com", "localhost");
  const [, example = ""] = /```nginx\n(server [^]*?)```/.exec(textOf("docs/operate.md")) ?? [];
  const capture = filledIn("docs/operate.md", example, [
    ["/etc/ssl/in.pem", file("gancho.pem")],
    ["/etc/ssl/in.key", file("gancho.key")],
    ["listen 443 ssl", `listen ${clientAddress}:${capturePort} ssl`],
    ["in.example.com", "localhost"],
  ]);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${file(name)};`,
  );
  writeFileSync(
    file("nginx.conf"),
    `${process.getuid?.() === 0 ? "user root;" : ""}
    daemon off;
    error_log stderr notice;
    pid ${file("nginx.pid")};
    events {}
    http {
      access_log ${file("access.log")};
      ${temporary.join(" ")}
      proxy_bind ${ownAddress};
      ${site}
      ${capture}
    }`,
  );
  const program = await startProgram({
    command: [nginxProgram() ?? "nginx", "-p", folder, "-c", file("nginx.conf"), "-e", "stderr"],
    env: {},
    ready: /start worker process /,
    logFile: file("nginx.log"),
  });
  return {
    url: `https://localhost:${port}`,
    captureUrl: `https://localhost:${capturePort}`,
    accessLog: file("access.log"),
    stop: program.stop,
  };
}

const textOf = (file: string) => readFileSync(path.join(root, file), "utf8");

/** Throws where the file does not say what is replaced. */
function filledIn(
  file: string,
  text: string,
  places: readonly (readonly [from: string, to: string])[],
): string {
  return places.reduce((filled, [from, to]) => {
    if (filled.split(from).length !== 2) throw new Error(`${file} has not one "${from}"`);
    return filled.replace(from, to);
  }, text);
}
