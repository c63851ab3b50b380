import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "./root";

/** Written last: a build that was cut short has none, whatever else it left. */
const stamp = path.join(root, ".next", "gancho-sources");

/** Folders and files whose change makes a build out of date. Programs and tests are not part of it. */
const folders = ["app", "components", "lib", "public"];
const files = /^(package-lock\.json|package\.json|tsconfig\.json|[a-z-]+\.(ts|mjs))$/;
const notBuilt = /(\.test\.tsx?$|^lib[\\/](cli|sandbox)[\\/]|^(vitest|playwright|eslint)\.)/;

export type BuildState = "current" | "older" | "none";

/** Whether there is a finished build, and whether it is of the present sources. */
export function buildState(): BuildState {
  if (!existsSync(stamp) || !isBuilt()) return "none";
  return readFileSync(stamp, "utf8") === sourcesDigest() ? "current" : "older";
}

/** What the framework writes near the end, and its server asks for. */
export function isBuilt(): boolean {
  return existsSync(path.join(root, ".next", "BUILD_ID"));
}

export function removeStamp(): void {
  rmSync(stamp, { force: true });
}

/** `digest` is that of before the build: a file saved meanwhile is for the next one. */
export function writeStamp(digest: string): void {
  writeFileSync(stamp, digest);
}

export function sourcesDigest(): string {
  const hash = createHash("sha256");
  for (const file of sources()) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function sources(): string[] {
  const ofFolders = folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
    );
  const ofRoot = readdirSync(root).filter((name) => files.test(name) && name !== "next-env.d.ts");
  return [...ofFolders, ...ofRoot].filter((file) => !notBuilt.test(file)).sort();
}
