import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const app = fileURLToPath(new URL("../../app", import.meta.url));

/** The addresses of the app folder, as it names them, with what is in brackets left in. */
export function addressesOf(file: "page.tsx" | "route.ts"): string[] {
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((entry) => path.basename(entry) === file)
    .map((entry) => {
      const folders = path.dirname(entry).split(path.sep);
      const shown = folders.filter((folder) => folder !== "." && !/^\(.*\)$/.test(folder));
      return `/${shown.join("/")}`;
    })
    .sort();
}

/** Route files that do not go through the one wrapper of every handler. */
export function routesWithoutWrapper(): string[] {
  return readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((entry) => path.basename(entry) === "route.ts")
    .filter((entry) => {
      const source = readFileSync(path.join(app, entry), "utf8");
      return !/^export const \{ GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS \} = routes\(/m.test(
        source,
      );
    });
}
