import { CliError, runProgram } from "@/lib/cli/failure";
import { listen } from "@/lib/cli/dashboard-server";
import { root } from "@/lib/cli/root";
import { closeServers } from "@/lib/cli/stop";
import { newKeys } from "@/lib/platform/database/testing/configure";
import { newDatabase } from "@/lib/platform/database/testing/new-database";
import { postgresPrograms, startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { createTestAuthority } from "@/lib/tools/certificates";
import packageJson from "@/package.json";
import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as after } from "node:timers/promises";

/**
 * `npm run image`: builds the image of a release with podman, and starts it as deploy/kubernetes does: two at once on an
 * empty database, as a user without rights, on a read-only file system. What follows the command goes to `podman build`, such as
 * `--build-arg NODE=…`.
 */
const image = `gancho:${packageJson.version}`;
const mostBytes = 300_000_000;

await runProgram("The image is not right", async () => {
  if (spawnSync("podman", ["--version"]).error)
    throw new CliError(
      "podman, which builds it, is not installed (Debian: apt-get install podman)",
    );
  if (!postgresPrograms())
    throw new CliError("PostgreSQL is not installed (Debian: apt-get install postgresql)");
  podman(
    "build",
    "--format",
    "docker",
    "--file",
    "deploy/Dockerfile",
    "--tag",
    image,
    ...process.argv.slice(2),
    ".",
  );
  const bytes = Number(output("image", "inspect", "--format", "{{.Size}}", image));
  console.log(`${image}: ${Math.round(bytes / 1e6)} MB`);
  if (!(bytes <= mostBytes)) throw new CliError(`it has more than ${mostBytes / 1e6} MB`);
  refuseSources();
  await start();
  console.log(
    `${image} starts twice at once on an empty database, read-only, as a user without rights, and answers.`,
  );
});

function refuseSources(): void {
  const files = output("run", "--rm", "--read-only", image, "find", ".", "-type", "f").split("\n");
  const own = files.filter((file) => !file.startsWith("./node_modules/"));
  const surplus = own.filter((file) => /\.(?:tsx?|md|map)$|\.(?:test|spec)\./.test(file));
  if (surplus.length > 0)
    throw new CliError(`it has ${surplus.length} sources, such as ${surplus[0]}`);
}

/** Two at once on an empty database, as replicas. Throws `CliError` with what one printed where it does not get ready. */
async function start(): Promise<void> {
  const databasePort = await freePort();
  const certificate = createTestAuthority().issue({ names: ["127.0.0.1"] });
  const postgres = await startPostgres({ port: databasePort, ...certificate });
  const containers: string[] = [];
  try {
    const { pathname } = new URL(await newDatabase(postgres.url));
    const ports = [await freePort(), await freePort()];
    const variables = {
      ...newKeys(),
      GANCHO_URL: `http://localhost:${ports[0]}`,
      DATABASE_URL: `postgres://gancho@127.0.0.1:${databasePort}${pathname}`,
      // Nothing listens there, and nothing asks.
      PARTNER_API_ENVIRONMENTS: "sandbox=http://127.0.0.1:9",
    };
    for (const port of ports) containers.push(run({ ...variables, PORT: String(port) }));
    for (const [at, port] of ports.entries())
      for (const path of ["/api/health/ready", "/sign-in"])
        if (!(await answers(`http://localhost:${port}${path}`)))
          throw new CliError(
            `${path} of instance ${at + 1} does not answer 200; it printed:`,
            output("logs", containers[at] ?? ""),
          );
    podman("exec", containers[0] ?? "", "deploy/gancho", "migrate");
  } finally {
    for (const container of containers) output("rm", "--force", "--volumes", container);
    await postgres.stop();
  }
}

/** Returns its id. */
function run(variables: Record<string, string>): string {
  return output(
    "run",
    "--detach",
    "--read-only",
    "--cap-drop=all",
    "--security-opt=no-new-privileges",
    // What is on loopback serves this machine alone.
    "--network=host",
    ...Object.entries(variables).map((pair) => `--env=${pair.join("=")}`),
    image,
  );
}

async function freePort(): Promise<number> {
  const server = await listen(createServer(), 0, "127.0.0.1");
  const { port } = server.address() as AddressInfo;
  await closeServers([server], 0);
  return port;
}

async function answers(address: string): Promise<boolean> {
  const giveUpAt = performance.now() + 60_000;
  while (performance.now() < giveUpAt) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.ok) return true;
    await after(500);
  }
  return false;
}

/** Throws `CliError`. */
function podman(...args: string[]): void {
  const { status } = spawnSync("podman", args, { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new CliError(`podman ${args[0]} failed; it says why above`);
}

function output(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync("podman", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  if (status !== 0) throw new CliError(`podman ${args[0]} failed: ${stderr.trim()}`);
  return stdout.trim();
}
