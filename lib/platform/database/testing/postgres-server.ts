import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, writeFileSync, existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import path, { delimiter, join } from "node:path";

export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** The cluster is thrown away: it needs no durability. */
const withoutDisk = ["fsync=off", "synchronous_commit=off", "full_page_writes=off"];
/** Nor housekeeping. */
const throwawaySettings = [
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_wal_size=16GB",
  "checkpoint_timeout=1h",
  "autovacuum=off",
  "jit=off",
];

/**
 * A real PostgreSQL server for one test run: a fresh cluster in a temporary folder, reached by a Unix socket. Rejects
 * where no PostgreSQL is installed, or when it does not start.
 */
export async function startPostgres(tls?: OverTls, { waitsForDisk = false } = {}) {
  const bin = postgresPrograms();
  if (!bin)
    throw new Error(
      "PostgreSQL is not installed: the tests run on both databases. Install it, for example with apt-get install postgresql.",
    );
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-pg-"));
  const as = serverUser();
  chmodSync(folder, 0o700);
  if (as) chownSync(folder, as.uid, as.gid);
  const data = path.join(folder, "data");
  const run = (program: string, ...args: string[]) =>
    execFileSync(path.join(bin, program), args, { ...as, cwd: folder, stdio: "pipe" });
  run("initdb", "-D", data, "-U", "gancho", "--auth=trust", "-E", "UTF8", "--no-sync");
  const options = [
    "-c",
    `listen_addresses=${tls ? "127.0.0.1" : ""}`,
    ...(tls ? withTls(tls, data, as) : []),
    "-c",
    `unix_socket_directories=${folder}`,
    ...["max_connections=300", ...throwawaySettings, ...(waitsForDisk ? [] : withoutDisk)].flatMap(
      (setting) => ["-c", setting],
    ),
  ];
  const server = spawn(path.join(bin, "postgres"), ["-D", data, ...options], {
    ...as,
    cwd: folder,
    stdio: "ignore",
  });
  await ready(() => run("pg_isready", "-h", folder, "-p", String(tls?.port ?? 5432)), server);
  return {
    /** `postgres://` address of its maintenance database. */
    url: `postgres://gancho@localhost:${tls?.port ?? 5432}/postgres?host=${encodeURIComponent(folder)}`,
    pid: server.pid ?? NaN,
    stop: async () => {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      // Immediate: the cluster is thrown away, and a test's forgotten connection must not hold it up.
      server.kill("SIGQUIT");
      await ended;
      // In the background: deleting hundreds of databases takes seconds, and nothing waits for it.
      spawn("rm", ["-rf", folder], { detached: true, stdio: "ignore" }).unref();
    },
  };
}

/** A server that accepts TLS connections on this machine's address, with this certificate. */
type OverTls = { port: number; key: string; cert: string };

function withTls({ port, ...pem }: OverTls, data: string, as: ReturnType<typeof serverUser>) {
  for (const [name, text] of Object.entries(pem)) {
    const file = path.join(data, `server.${name === "key" ? "key" : "crt"}`);
    writeFileSync(file, text, { mode: 0o600 });
    if (as) chownSync(file, as.uid, as.gid);
  }
  return ["-c", "ssl=on", "-c", `port=${port}`];
}

/** PostgreSQL and PgBouncer refuse to run as root; the distribution has a user for them. */
export function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  const id = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

async function ready(check: () => void, server: ChildProcess): Promise<void> {
  const giveUpAt = performance.now() + 20_000;
  for (;;) {
    try {
      check();
      return;
    } catch (error) {
      if (server.exitCode !== null || performance.now() > giveUpAt) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** The folder that holds initdb and postgres; distributions seldom put it on the PATH. null where there is none. */
export function postgresPrograms(): string | null {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : [];
  const folders = [
    ...versions.map((version) => join(debian, version, "bin")),
    ...(process.env["PATH"] ?? "").split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, "initdb"))) ?? null;
}
