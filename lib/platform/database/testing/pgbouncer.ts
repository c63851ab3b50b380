import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { vi } from "vitest";
import { freePort } from "@/e2e/installation/free-port";
import { serverUser } from "./postgres-server";

const program = "/usr/sbin/pgbouncer";

export const hasPgBouncer = existsSync(program);

/** PgBouncer in front of the server of `serverUrl`, as it is installed: a server connection for each transaction. */
export async function startPgBouncer(
  serverUrl: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = new URL(serverUrl);
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-pgbouncer-"));
  const port = await freePort();
  const file = path.join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${server.searchParams.get("host") ?? server.hostname} port=${server.port || "5432"} user=${server.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 3
ignore_startup_parameters = statement_timeout
max_client_conn = 200
`,
  );
  const as = serverUser();
  for (const name of [folder, file]) if (as) chownSync(name, as.uid, as.gid);
  chmodSync(folder, 0o700);
  const child = spawn(program, [file], { ...as, cwd: folder, stdio: "ignore" });
  await vi.waitFor(
    async () => {
      const socket = connect(port, "127.0.0.1");
      await once(socket, "connect").finally(() => socket.destroy());
    },
    { timeout: 10_000 },
  );
  const url = new URL(server);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(port);
  return {
    url: url.href,
    stop: async () => {
      const ended = once(child, "exit");
      child.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
