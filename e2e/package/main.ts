/**
 * `npm run test:package`: the archive that `npm run package` made, as an operator has it: unpacked into a folder of root's,
 * run as `nobody` by Node alone on a file system that is read-only but for the data folder. It migrates, answers, saves
 * at a sandbox and ends. Ends with 1 where anything of that fails, and with 3 where this machine cannot show it.
 */
import { forPrograms } from "@/lib/platform/database/deadline";
import { openDatabase } from "@/lib/platform/database/open";
import { thisRelease } from "@/lib/platform/database/migrate";
import { root } from "@/lib/cli/root";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram } from "@/e2e/installation/program";
import { ganchoAt } from "@/e2e/soak/gancho";
import { addPartner, held, addPerson } from "@/e2e/soak/partner";

const notShown = 3;

/** Debian's `nobody` and `nogroup`. */
const nobody = 65534;

const client = { client_id: "package", client_secret: randomBytes(16).toString("hex") };
const partner = { id: client.client_id, environment: "sandbox" };

async function main(): Promise<number> {
  const archive = path.join(root, "release", archiveName());
  if (!existsSync(archive)) throw new Error("there is no archive: run npm run package first");
  if (!canIsolate()) {
    say("This machine does not let a program have mounts of its own: nothing was shown.");
    return notShown;
  }
  const work = mkdtempSync(path.join(tmpdir(), "gancho-package-"));
  chmodSync(work, 0o755);
  const stops: (() => Promise<void>)[] = [];
  try {
    const release = unpack(archive, work);
    await install(release, work, stops);
    return 0;
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(work, { recursive: true, force: true });
  }
}

async function install(release: string, work: string, stops: (() => Promise<void>)[]) {
  const data = path.join(work, "data");
  mkdirSync(data, { mode: 0o700 });
  chownSync(data, nobody, nobody);
  const node = path.join(work, "node");
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);

  const [port, sandboxPort] = [await freePort(), await freePort()];
  const clients = path.join(work, "clients.json");
  writeFileSync(clients, JSON.stringify([client]));
  const url = `http://localhost:${port}`;
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    PORT: String(port),
    GANCHO_URL: url,
    GANCHO_DATA_DIR: data,
    GANCHO_STOP_GRACE: "0",
    DATABASE_URL: `file:${data}/gancho.db`,
    AUTH_SECRET: randomBytes(48).toString("base64"),
    ENCRYPTION_KEYS: `k1:${randomBytes(32).toString("base64")}`,
    PARTNER_API_ENVIRONMENTS: `sandbox=${sandboxUrl}`,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_CLIENTS: clients,
    SANDBOX_DATABASE_URL: `file:${data}/sandbox.db`,
    WATCH_EVERY: "0",
  };
  const command = (...words: string[]) => isolated(release, data, env, [node, ...words]);
  requireIsolation(isolated(release, data, env, ["/bin/sh"]), release, data);

  const began = performance.now();
  const start = async (program: string, ready: RegExp) => {
    const started = await startProgram({
      command: command(`dist/${program}.mjs`),
      env: {},
      ready,
      logFile: path.join(work, `${program}.log`),
    });
    stops.push(started.stop);
    return started.stop;
  };
  await start("sandbox", /Sandbox ready/);
  const before = performance.now();
  const dashboard = await start("start", /Gancho ready/);
  say(`Node ${process.version}: ready in ${Math.round(performance.now() - before)} ms`);

  await readPages(url);
  const ran = (...words: string[]) => {
    const [program = "", ...args] = command("dist/gancho.mjs", ...words);
    return execFileSync(program, args, { encoding: "utf8" });
  };
  expectIn(ran("health"), `gancho ${thisRelease.version}`, "health");

  // As the dashboard is configured: the fixtures seal a secret and sign a session.
  Object.assign(process.env, env);
  const db = openDatabase(env.DATABASE_URL, { limits: forPrograms });
  stops.push(() => db.destroy());
  const person = await addPerson(db, "Ana");
  const added = await addPartner(db, client, partner.environment, [person]);
  expectIn(ran("migrate"), "up to date", "migrate");
  const gancho = ganchoAt(url);
  stops.push(gancho.close);
  const { result, code } = await gancho.save(person, partner, {
    type: "pix_in",
    url: "https://hooks.example.com/pix",
    revision: null,
    authorization: { action: "replace", value: "Bearer packaged" },
  });
  if (result?.outcome !== "saved")
    throw new Error(`the save ended with ${result?.outcome ?? code}`);
  const registered = (await held(sandboxUrl, added)).get("pix_in");
  expectIn(registered ?? "", "https://hooks.example.com/pix", "what the sandbox holds");
  expectIn(ran("verify-history"), "Nothing is wrong", "verify-history");

  await dashboard();
  const log = readFileSync(path.join(work, "start.log"), "utf8");
  for (const word of ["EROFS", "EACCES", "ERR_MODULE_NOT_FOUND", '"level":"error"'])
    if (log.includes(word)) throw new Error(`the log has ${word}:\n${log}`);
  const kept = readdirSync(data).filter((name) => !name.startsWith("sandbox.db"));
  say(`saved, verified and kept in the data folder: ${kept.sort().join(", ")}`);
  say(`${Math.round((performance.now() - began) / 1_000)} s in all`);
}

/** The sign-in page, every file that it names, and an answer to a signed-out caller. */
async function readPages(url: string): Promise<void> {
  const page = await fetch(`${url}/sign-in`);
  const html = await page.text();
  if (page.status !== 200 || !html.includes("<form")) throw new Error("there is no sign-in page");
  const files = new Set(html.match(/\/(_next\/static|icons)\/[^"'\\ )]+/g));
  if (files.size < 5) throw new Error("the sign-in page names no files");
  for (const file of [...files, "/manifest.webmanifest", "/robots.txt", "/api/health/ready"]) {
    const { status } = await fetch(new URL(file, url));
    if (status !== 200) throw new Error(`${file} was answered with ${status}`);
  }
  const portuguese = await fetch(`${url}/sign-in`, { headers: { "accept-language": "pt-BR" } });
  expectIn(await portuguese.text(), 'lang="pt-BR"', "the page in Portuguese");
  say(`the sign-in page and its ${files.size} files are answered`);
}

function archiveName(): string {
  return `gancho-${thisRelease.version}-linux-${process.arch}.tar.gz`;
}

/** Checked as an operator checks it; its folder is root's. */
function unpack(archive: string, work: string): string {
  const cwd = path.dirname(archive);
  execFileSync("sha256sum", ["--check", "--quiet", `${path.basename(archive)}.sha256`], { cwd });
  execFileSync("tar", ["-xzf", archive, "-C", work, "--no-same-owner"]);
  const folder = path.join(work, path.basename(archive, ".tar.gz"));
  for (const name of ["sbom.cdx.json", "THIRD-PARTY-NOTICES.txt", "LICENSE", "docs/operate.md"])
    if (!existsSync(path.join(folder, name))) throw new Error(`the archive lacks ${name}`);
  return folder;
}

function canIsolate(): boolean {
  return spawnSync("unshare", ["--mount", "true"]).status === 0 && process.getuid?.() === 0;
}

/** Runs a command as `nobody`, where only `data` can be written and the environment is empty. */
function isolated(
  folder: string,
  data: string,
  env: Record<string, string>,
  command: string[],
): string[] {
  const mounts =
    'mount --make-rprivate / && mount --bind "$1" "$1" && mount -o remount,bind,ro / && ' +
    '{ mount -o remount,bind,ro /dev/shm 2>/dev/null || true; } && cd "$2" && shift 2 && exec "$@"';
  const user = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];
  const set = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return [
    "unshare",
    "--mount",
    "sh",
    "-c",
    mounts,
    "sh",
    data,
    folder,
    ...user,
    "--no-new-privs",
    "env",
    "-i",
    ...set,
    ...command,
  ];
}

/** So that the rest shows what it says it does. */
function requireIsolation([program = "", ...args]: string[], release: string, data: string): void {
  const writes = (file: string) =>
    spawnSync(program, [...args, "-c", ': > "$0"', file], { stdio: "ignore" }).status === 0;
  for (const folder of [release, tmpdir(), "/tmp", "/var/tmp", "/dev/shm"])
    if (writes(path.join(folder, "gancho-probe")))
      throw new Error(`${folder} can be written: nothing would be shown`);
  const probe = path.join(data, "probe");
  if (!writes(probe)) throw new Error("the data folder cannot be written");
  rmSync(probe);
}

function expectIn(text: string, part: string, what: string): void {
  if (!text.includes(part)) throw new Error(`${what} says: ${text}`);
}

function say(line: string): void {
  console.log(line);
}

process.exit(await main());
