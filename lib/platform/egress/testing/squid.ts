import { squidProgram } from "@/lib/tools/test/required-programs";
import { freePort } from "@/e2e/installation/free-port";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import net from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";

type Options = {
  /** Names that it alone resolves, to this machine. */
  names: readonly string[];
  /** It refuses to connect to these. */
  refuses?: readonly string[];
  /** `user:password`; left out: it asks for none. */
  asksFor?: string;
};

export type Squid = Awaited<ReturnType<typeof startSquid>>;

/** A real forward proxy on this machine, which tunnels to any port. */
export async function startSquid({ names, refuses = [], asksFor }: Options) {
  // Started by root, it goes on as a user of its own, who does not reach the folder of the tests.
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-squid-"));
  chmodSync(folder, 0o777);
  const file = (name: string, content: string, mode = 0o644) => {
    const at = path.join(folder, name);
    writeFileSync(at, content, { mode });
    return at;
  };
  const port = await freePort();
  const [user = "", password = ""] = asksFor?.split(":") ?? [];
  const judge = file(
    "judge",
    `#!/bin/sh\nwhile read -r line; do [ "$line" = "${user} ${password}" ] && echo OK || echo ERR; done\n`,
    0o755,
  );
  const config = file(
    "squid.conf",
    [
      `http_port 127.0.0.1:${port}`,
      `hosts_file ${file("hosts", `127.0.0.1 ${names.join(" ")}\n`)}`,
      ...(asksFor ? [`auth_param basic program ${judge}`, "acl known proxy_auth REQUIRED"] : []),
      ...(refuses.length > 0
        ? [`acl refused dstdomain ${refuses.join(" ")}`, "http_access deny refused"]
        : []),
      asksFor ? "http_access allow known" : "http_access allow all",
      "http_access deny all",
      "cache deny all",
      "pid_filename none",
      `access_log stdio:${folder}/access.log`,
      `cache_log ${folder}/cache.log`,
      `coredump_dir ${folder}`,
      "shutdown_lifetime 0 seconds",
      // Written at once, so that a test sees it.
      "buffered_logs off",
      "",
    ].join("\n"),
  );
  const program = squidProgram();
  if (!program) throw new Error("squid is not installed (Debian: apt-get install squid)");
  const child = spawn(program, ["-N", "-f", config], { stdio: "ignore" });
  const exited = once(child, "exit");
  await reached(port, () => child.exitCode !== null);
  const log = () => {
    try {
      return readFileSync(path.join(folder, "access.log"), "utf8");
    } catch {
      return "";
    }
  };
  return {
    port,
    url: `http://${asksFor ? `${asksFor}@` : ""}127.0.0.1:${port}`,
    /** The hosts to which it was asked to connect, each as often as it was. */
    asked: () => [...log().matchAll(/CONNECT ([^:\s]+):\d+/g)].map(([, host]) => host ?? ""),
    stop: async () => {
      child.kill("SIGKILL");
      await exited;
      rmSync(folder, { recursive: true });
    },
  };
}

async function reached(port: number, isOver: () => boolean): Promise<void> {
  for (;;) {
    if (isOver()) throw new Error("squid ended");
    const socket = net.connect({ host: "127.0.0.1", port });
    const isThere = await new Promise((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
