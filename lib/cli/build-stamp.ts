import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { Failure } from "./failure";
import { built, builtFrom, isCheckout, root, sourcesDigest } from "./programs.mjs";

/** Written last: an aborted build has none, whatever else it left. */
const stamp = path.join(root, ".next", "gancho-sources");

type BuildState = "current" | "older" | "none";

/** Whether there is a finished build, with pages and programs of the present sources. */
export function buildState(programs = built.programs): BuildState {
  const pages = pagesState();
  if (pages === "none" || builtFrom(programs) === null) return "none";
  return !isCheckout || builtFrom(programs) === sourcesDigest("programs") ? pages : "older";
}

/** The same of the pages alone. */
export function pagesState(): BuildState {
  if (!existsSync(stamp) || !isBuilt()) return "none";
  // A release has no sources, and nothing in it changes.
  if (!isCheckout) return "current";
  return readFileSync(stamp, "utf8") === sourcesDigest("pages") ? "current" : "older";
}

/** The framework writes it near the end of a build, and its server needs it. */
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

/**
 * The framework would fetch these by itself, other versions than the lock file's, and write to package.json. Throws
 * `Failure`.
 */
export function requireBuildPackages(): void {
  const { resolve } = createRequire(path.join(root, "package.json"));
  const missing = ["typescript", "@types/node", "@types/react"].filter((name) => {
    try {
      return !resolve(`${name}/package.json`);
    } catch {
      return true;
    }
  });
  const compiler = `swc-${process.platform}-${process.arch}`;
  const ofFramework = path.join(root, "node_modules", "@next");
  if (
    !existsSync(ofFramework) ||
    !readdirSync(ofFramework).some((name) => name.startsWith(compiler))
  )
    missing.push(`@next/${compiler}`);
  if (missing.length > 0)
    throw new Failure(
      `packages are missing (${missing.join(", ")}), and nothing fetches them unasked: run npm ci`,
    );
}
