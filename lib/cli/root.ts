import { existsSync } from "node:fs";
import path from "node:path";
import { root } from "./programs.mjs";

export { root };

/** Takes `.env` of the project into the environment, if there is one; what is set already stays. Not in tests. */
export function loadEnvFile(): void {
  if (process.env.NODE_ENV === "test") return;
  const file = path.join(root, ".env");
  if (existsSync(file)) process.loadEnvFile(file);
}
