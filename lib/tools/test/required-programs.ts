import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CliError } from "@/lib/cli/failure";
import { postgresPrograms } from "@/lib/platform/database/testing/postgres-server";

/** The same engine without windows: it takes about a quarter less of the processor. */
const withoutWindows = "chromium-headless-shell";
/** Those with windows have a password manager. */
const withWindows = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/**
 * Names a Chromium in CHROMIUM_PATH. In this order: the one that it names already; the engine without windows, installed
 * where that is possible; one with windows; Playwright's own.
 */
export function requireBrowser(): void {
  if (isNamed("CHROMIUM_PATH")) return;
  const found = installed([withoutWindows]) ?? fromDistribution(withoutWindows);
  const named = found ?? installed(withWindows);
  if (named) process.env["CHROMIUM_PATH"] = named;
  else if (!playwrightsOwn()) throw noChromium();
}

/** The same with a password manager (e2e/saved-login.spec.ts), in FULL_CHROMIUM_PATH. */
export function requirePasswordManager(): void {
  if (isNamed("FULL_CHROMIUM_PATH")) return;
  const found = installed(withWindows) ?? fromDistribution("chromium");
  if (found) process.env["FULL_CHROMIUM_PATH"] = found;
  else if (!playwrightsOwn()) throw noChromium();
}

const isNamed = (variable: string) => existsSync(process.env[variable] ?? "");

function installed(names: readonly string[]): string | null {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return (
    folders
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find((path) => existsSync(path)) ?? null
  );
}

const fromDistribution = (name: string) => (installPackage(name) ? installed([name]) : null);

function playwrightsOwn(): boolean {
  console.log("No Chromium is installed; asking Playwright for its own …");
  return spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" }).status === 0;
}

const noChromium = () =>
  new CliError(
    "no Chromium was found or could be installed: install one, or name it in CHROMIUM_PATH",
  );

/** The tests run on both databases and start their own PostgreSQL server, which needs its programs. */
export function requirePostgres(): void {
  if (postgresPrograms() || (installPackage("postgresql") && postgresPrograms())) return;
  throw new CliError(
    "PostgreSQL is not installed, and the tests run on both databases: install it (Debian: apt-get install postgresql)",
  );
}

/** A test restarts instances behind it. */
export function requireNginx(): void {
  if (nginxProgram() || (installPackage("nginx-light") && nginxProgram())) return;
  throw new CliError(
    "nginx is not installed, and a test restarts instances behind it: install it (Debian: apt-get install nginx-light)",
  );
}

/** The rules are tested by promtool, and by outages while the real Prometheus watches. */
export function requirePrometheus(): void {
  const isThere = () =>
    ["prometheus", "promtool"].every(
      (program) => spawnSync(program, ["--version"], { stdio: "ignore" }).status === 0,
    );
  if (isThere() || (installPackage("prometheus") && isThere())) return;
  throw new CliError(
    "Prometheus is not installed, and its rules are tested: install it (Debian: apt-get install prometheus)",
  );
}

/** Every call that leaves Gancho is tried through a forward proxy. */
export function requireSquid(): void {
  if (squidProgram() || (installPackage("squid") && squidProgram())) return;
  throw new CliError(
    "squid is not installed, and calls are tried through it: install it (Debian: apt-get install squid)",
  );
}

export const nginxProgram = () => ofTheSystem("nginx");
export const squidProgram = () => ofTheSystem("squid");

/** null where there is none. Debian has them where only root looks. */
function ofTheSystem(name: string): string | null {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), "/usr/sbin"];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path)) ?? null;
}

/** Installs a package of a Debian-like distribution, where we may. Says whether it is there now. */
function installPackage(name: string): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  console.log(`Installing the distribution's package ${name} …`);
  const apt = (...args: string[]) =>
    spawnSync("apt-get", args, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    }).status === 0;
  return apt("update") && apt("install", "-y", "--no-install-recommends", name);
}
