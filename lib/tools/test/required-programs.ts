import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { CliError } from "@/lib/cli/failure";
import { postgresPrograms } from "@/lib/platform/database/testing/postgres-server";

/** The same engine without windows: it takes about a quarter less of the processor. */
const withoutWindows = "chromium-headless-shell";
const names = [
  withoutWindows,
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
];

/** Finds a Chromium and names it in CHROMIUM_PATH: an installed one, else Playwright's, else the distribution's. */
export function requireBrowser(): void {
  const found = installed() ?? (playwrightsOwn() ? null : fromDistribution());
  if (found) process.env["CHROMIUM_PATH"] = found;
}

function installed(): string | null {
  const named = process.env["CHROMIUM_PATH"];
  if (named && existsSync(named)) return named;
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return (
    folders
      .flatMap((folder) => names.map((name) => join(folder, name)))
      .find((path) => existsSync(path)) ?? null
  );
}

function playwrightsOwn(): boolean {
  console.log("No Chromium is installed; asking Playwright for its own …");
  return spawnSync("npx", ["playwright", "install", "chromium"], { stdio: "inherit" }).status === 0;
}

function fromDistribution(): string {
  for (const name of [withoutWindows, "chromium"]) {
    const path = installPackage(name) ? installed() : null;
    if (path) return path;
  }
  throw new CliError(
    "no Chromium was found or could be installed: install one, or name it in CHROMIUM_PATH",
  );
}

/** The tests run on both databases and start their own PostgreSQL server, which needs its programs. */
export function requirePostgres(): void {
  if (postgresPrograms() || (installPackage("postgresql") && postgresPrograms())) return;
  throw new CliError(
    "PostgreSQL is not installed, and the tests run on both databases: install it (Debian: apt-get install postgresql)",
  );
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
