import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const root = fileURLToPath(new URL("../..", import.meta.url));
const skipped = new Set([".git", ".data", "node_modules", "test-results", ".next", "release"]);

/** Where the framework's server looks for a proxy in a build; the lock file fixes its version. */
const manifest = z.looseObject({ functions: z.record(z.string(), z.unknown()) });

/** Whether this run is `npm run test:without-proxy`. */
export const isWithoutProxy = () => process.env["E2E_WITHOUT_PROXY"] === "1";

/**
 * A copy of the project and its production build without `proxy.ts`. Returns its folder. Throws when the build has no
 * proxy. The answers prove that it is gone: they have no policy (access-table.spec.ts).
 */
export function copyWithoutProxy(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-without-proxy-"));
  for (const name of readdirSync(root))
    if (!skipped.has(name) && name !== "proxy.ts")
      cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  cpSync(path.join(root, ".next"), path.join(folder, ".next"), {
    recursive: true,
    filter: (source) => !source.startsWith(path.join(root, ".next", "cache")),
  });
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const file = path.join(folder, ".next", "server", "functions-config-manifest.json");
  if (!existsSync(file)) throw new Error("there is no finished build: run npm run build first");
  const { functions, ...rest } = manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  if (!("/_middleware" in functions)) throw new Error("the build has no proxy to remove");
  delete functions["/_middleware"];
  writeFileSync(file, JSON.stringify({ ...rest, functions }));
  return folder;
}
