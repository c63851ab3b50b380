/**
 * `npm run test:upgrade -- [commit, tag, or folder with a finished build]`: an upgrade from that release to the present
 * code, and back, as docs/operate.md describes it: two instances behind a proxy on one PostgreSQL, under load. Left out:
 * the last tag, or the last commit where there is none. Builds that release in a separate folder; where the sources are
 * equal, it also compares the two builds. Ends with 1 when any request failed.
 */
import { demoPassword } from "@/lib/platform/env/mode";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { forPrograms } from "@/lib/platform/database/deadline";
import { migrateToLatest, schemaState, thisRelease } from "@/lib/platform/database/migrate";
import { openDatabase, type Db } from "@/lib/platform/database/open";
import { startPostgres } from "@/lib/platform/database/testing/postgres-server";
import { root } from "@/lib/cli/root";
import { request } from "@playwright/test";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { postSignIn } from "@/e2e/fixtures/sign-in";
import { freePort } from "@/e2e/installation/free-port";
import { startProgram, type Program } from "@/e2e/installation/program";
import { ganchoAt, type Gancho } from "@/e2e/soak/gancho";
import { startReadyProxy, type ReadyProxy } from "./ready-proxy";

/** A release with its production build. */
type Build = { name: string; version: string; folder: string };

const here: Build = { name: "the code at hand", version: thisRelease.version, folder: root };

async function main(): Promise<number> {
  const reference = process.argv[2] ?? lastRelease();
  const work = mkdtempSync(path.join(tmpdir(), "gancho-upgrade-"));
  const postgres = await startPostgres();
  const stops: (() => Promise<void>)[] = [() => postgres.stop()];
  try {
    const older = existsSync(path.join(reference, ".next", "BUILD_ID"))
      ? buildIn(path.resolve(reference), reference)
      : build(reference, path.join(work, "older"));
    const assetsDiffer = compareAssets(older);
    return Math.max(assetsDiffer, await upgrade(older, postgres.url, work, stops));
  } finally {
    for (const stop of stops.toReversed()) await stop();
    rmSync(work, { recursive: true, force: true });
  }
}

async function upgrade(
  older: Build,
  databaseUrl: string,
  work: string,
  stops: (() => Promise<void>)[],
): Promise<number> {
  const [first, second, sandboxPort] = [await freePort(), await freePort(), await freePort()];
  const proxy = await startReadyProxy([first, second]);
  stops.push(proxy.stop);
  const env = {
    // The demo's people and partners, without a browser to make others.
    GANCHO_DEMO: "1",
    GANCHO_DATA_DIR: path.join(work, "data"),
    GANCHO_URL: proxy.url,
    GANCHO_STOP_GRACE: "3",
    GANCHO_CHANGE_LIMIT: "100000",
    DATABASE_URL: databaseUrl,
    AUTH_SECRET: `demo-${randomBytes(32).toString("base64")}`,
    ENCRYPTION_KEYS: `demo-k1:${randomBytes(32).toString("base64")}`,
    SANDBOX_PORT: String(sandboxPort),
    SANDBOX_DATABASE_URL: `file:${work}/sandbox.db`,
    WATCH_EVERY: "0",
    LOG_LEVEL: "warn",
  };
  const start = ({ folder }: Build, port: number, program: "demo" | "sandbox" | "start") =>
    startProgram({
      // The demo, which only a checkout has, is compiled on demand.
      command: [
        process.execPath,
        ...(program === "demo" ? ["lib/cli/run.mjs", program] : [`dist/${program}.mjs`]),
      ],
      folder,
      env: { ...env, PORT: String(port) },
      ready: /ready/i,
      logFile: path.join(work, "programs.log"),
    });
  const instance = (of: Build, port: number) => start(of, port, "start");

  say(`${older.name} fills its database`);
  const demo = await start(older, first, "demo");
  await demo.stop();

  const sandbox = await start(older, sandboxPort, "sandbox");
  stops.push(sandbox.stop);
  const instances = new Map<number, Program>();
  stops.push(
    async () => void (await Promise.all([...instances.values()].map((each) => each.stop()))),
  );
  for (const port of [first, second]) instances.set(port, await instance(older, port));
  await proxy.untilReady(2);

  const gancho = ganchoAt(proxy.url);
  stops.push(gancho.close);
  const load = startLoad(gancho, { cookie: await signIn(proxy.url) });
  await load.goOn();

  say(`the newest migrations, while two instances of ${older.name} serve`);
  const db = openDatabase(databaseUrl, { limits: forPrograms });
  stops.push(() => db.destroy());
  await migrateToLatest(db, { release: withOneMore(older.version) });
  await load.goOn();

  for (const [of, port] of [
    [older, first],
    [here, first],
    [here, second],
    [older, first],
  ] as const) {
    say(`one instance ends, and ${of.name} starts in its place`);
    await instances.get(port)?.stop();
    instances.delete(port);
    await load.goOn();
    instances.set(port, await instance(of, port));
    await proxy.untilReady(2);
    await load.goOn();
  }
  if ((await schemaState(db)) !== "current")
    throw new Error("the tables are not as they should be");

  return report(await load.end(), proxy);
}

/** There may be no migration between the two: a made-up one stands for those of a release to come. */
function withOneMore(usableSince: string): typeof thisRelease {
  const up = async (db: Db) => {
    await db.schema.alterTable("markers").addColumn("made_up", "varchar(10)").execute();
  };
  return {
    ...thisRelease,
    migrations: { ...thisRelease.migrations, "9999-made-up": { usableSince, up } },
  };
}

type Load = {
  /** Resolves when each client has been answered several times more. */
  goOn: () => Promise<void>;
  end: () => Promise<Figures>;
};
type Figures = { reads: number; saves: number; slowestMs: number; failures: string[] };

const partner = { id: "aurora", environment: "sandbox" };

/** People who read all the time, and one who saves. */
function startLoad(gancho: Gancho, person: { cookie: string }): Load {
  const figures: Figures = { reads: 0, saves: 0, slowestMs: 0, failures: [] };
  let isOver = false;
  const note = (what: string, status: number, ms: number, detail: string, isGood: boolean) => {
    figures.slowestMs = Math.max(figures.slowestMs, ms);
    if (!isGood) figures.failures.push(`${what}: ${status} ${detail}`);
  };
  const failed = (what: string) => (error: unknown) => {
    figures.failures.push(`${what}: ${String(error)}`);
    return null;
  };

  async function read() {
    const answer = await gancho.read(person, partner).catch(failed("read"));
    figures.reads++;
    if (answer) note("read", answer.status, answer.ms, answer.code ?? "", answer.status === 200);
    return answer?.configuration?.revision ?? null;
  }
  async function save() {
    const revision = await read();
    const answer = await gancho
      .save(person, partner, {
        type: "pix_in",
        url: `https://hooks.lojaaurora.example/pix/${figures.saves}`,
        revision,
        authorization: { action: "keep" },
      })
      .catch(failed("save"));
    figures.saves++;
    const outcome = answer?.result?.outcome;
    if (answer)
      note("save", answer.status, answer.ms, outcome ?? answer.code ?? "", outcome === "saved");
  }
  const until = async (work: () => Promise<unknown>, pauseMs: number) => {
    while (!isOver) {
      await work();
      await after(pauseMs);
    }
  };
  const running = [until(read, 20), until(read, 35), until(read, 50), until(save, 100)];

  return {
    goOn: async () => {
      const { reads, saves } = figures;
      while (figures.reads < reads + 50 || figures.saves < saves + 5) await after(50);
    },
    end: async () => {
      isOver = true;
      await Promise.all(running);
      return figures;
    },
  };
}

async function signIn(url: string): Promise<string> {
  const browser = await request.newContext({ baseURL: url });
  const answer = await postSignIn(browser, "admin@aurora.example", { password: demoPassword });
  if (!answer.ok()) throw new Error(`signing in was answered with ${answer.status()}`);
  const { cookies } = await browser.storageState();
  await browser.dispose();
  const session = cookies.find(({ name }) => name === sessionCookieName(false));
  if (!session) throw new Error("signing in brought no session");
  return `${session.name}=${session.value}`;
}

function report({ failures, ...figures }: Figures, proxy: ReadyProxy): number {
  say(
    `${figures.reads} reads and ${figures.saves} saves, the slowest ${Math.round(figures.slowestMs)} ms; ` +
      `retried elsewhere: ${proxy.retried()}; failed: ${failures.length}`,
  );
  for (const failure of failures.slice(0, 20)) say(`  ${failure}`);
  return failures.length === 0 ? 0 : 1;
}

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8" }).trim();

function lastRelease(): string {
  try {
    return git("describe", "--tags", "--abbrev=0", "--match", "v*");
  } catch {
    return "HEAD";
  }
}

/** The committed release, built in a separate folder. */
function build(reference: string, folder: string): Build {
  const name = `${reference} (${git("rev-parse", "--short", reference)})`;
  say(`building ${name}`);
  mkdirSync(folder);
  execFileSync("sh", ["-c", 'git archive "$1" | tar -x -C "$2"', "sh", reference, folder], {
    cwd: root,
  });
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  const lock = (of: string) => readFileSync(path.join(of, "package-lock.json"), "utf8");
  // What is installed here is what it would install: links of the file system are quicker.
  if (lock(root) === lock(folder)) run("cp", "-al", path.join(root, "node_modules"), folder);
  else run("npm", "ci", "--no-audit", "--no-fund");
  run("npm", "run", "build");
  return buildIn(folder, name);
}

function buildIn(folder: string, name: string): Build {
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as {
    version: string;
  };
  return { name, version, folder };
}

/** Instances that were built apart from the same sources serve files of the same names. */
function compareAssets(older: Build): number {
  const read = (of: Build, file: string) =>
    readFileSync(path.join(of.folder, ".next", file), "utf8");
  if (read(older, "gancho-sources") !== read(here, "gancho-sources")) return 0;
  const names = (of: Build) =>
    readdirSync(path.join(of.folder, ".next", "static"), { recursive: true })
      .map(String)
      .sort();
  const [one, other] = [names(older), names(here)];
  const differing = [
    ...one.filter((name) => !other.includes(name)),
    ...other.filter((name) => !one.includes(name)),
  ];
  const isSame = differing.length === 0 && read(older, "BUILD_ID") === read(here, "BUILD_ID");
  say(
    isSame
      ? `built apart from the same sources: ${one.length} files of the same names`
      : `FAILED: built apart from the same sources, and named otherwise: ${differing.join(", ")}`,
  );
  return isSame ? 0 : 1;
}

function say(line: string): void {
  console.log(line);
}

if (!existsSync(path.join(root, ".next", "BUILD_ID"))) {
  console.error("there is no finished build: run npm run build first");
  process.exit(1);
}
process.exit(await main());
