import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Where Gancho's programs are. `npm run build` compiles those of production into `dist`, and `npm start` and a
 * release's commands run them from there. Everything else runs from the sources.
 *
 * Plain JavaScript, because the framework's configuration imports it.
 */

/** The folder of the project: this file is in it, or compiled into one of its folders. */
export const root = folderOfPackage(path.dirname(fileURLToPath(import.meta.url)));

/** What `npm run build` compiles: all of it is there, or nothing. */
export const compiledPrograms = path.join(root, "dist");

/** Packages that are native, or that load parts of themselves by name: not bundled, for pages as well as programs. */
export const externalPackages = [
  "libsql",
  "pg",
  "@node-rs/argon2",
  "@simplewebauthn/server",
  "pino",
  "prom-client",
  "undici",
];

/**
 * What Node is started with to run a program from its sources: modules resolve as in the framework's server rendering,
 * which all programs need that use the database, but none that renders pages.
 * @param {string} file from the project's root
 */
export function fromSource(file) {
  return ["--conditions=react-server", "--import", "tsx", path.join(root, file)];
}

/** @param {string} folder */
function folderOfPackage(folder) {
  return existsSync(path.join(folder, "package.json"))
    ? folder
    : folderOfPackage(path.dirname(folder));
}
