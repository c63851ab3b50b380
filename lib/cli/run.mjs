import path from "node:path";
import { pathToFileURL } from "node:url";
import { built, builtFrom, programFile } from "./programs.mjs";

/*
 * `node lib/cli/run.mjs PROGRAM …` of a checkout: `npm start` runs what `npm run build` made, every other program the code
 * at hand (programs.mjs). A release has the compiled programs alone, and runs them without this.
 */

const [name = "", ...args] = process.argv.slice(2);
const isProduction = name === "start" && !args.includes("--dev");

const file = isProduction ? path.join(built.programs, "start.mjs") : await compiled();
if (isProduction && builtFrom() === null)
  refuse("Gancho cannot start: there is no finished build: run npm run build first");

// As if Node had been given that file.
process.argv.splice(1, 2, file);
await import(pathToFileURL(file).href);

async function compiled() {
  try {
    return await programFile(name);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ERR_MODULE_NOT_FOUND") refuse(`${name} cannot be compiled: run npm ci first`);
    if (code === "EACCES" || code === "EROFS")
      refuse(
        `${name} cannot be compiled, because node_modules cannot be written here: run npm run build where it can`,
      );
    throw error;
  }
}

/** @param {string} line @returns {never} */
function refuse(line) {
  console.error(line);
  process.exit(1);
}
