import { errorCode } from "@/lib/platform/runtime/network-error";
import { lstatSync } from "node:fs";
import path from "node:path";
import { Misconfigured } from "./failure";
import { root } from "./programs.mjs";

export { root };

/**
 * Loads `.env` of the project, or of an unpacked release, into the environment, if there is one; keeps variables that
 * are set. Not in tests. Throws `CliError` where this user may not read it: the configuration would not be what the
 * operator thinks.
 */
export function loadEnvFile(): void {
  if (process.env.NODE_ENV === "test") return;
  const file = path.join(root, ".env");
  // Also a link to a file of another user, which does not seem to exist.
  if (!lstatSync(file, { throwIfNoEntry: false })) return;
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const code = errorCode(error);
    throw new Misconfigured(
      `${file} cannot be read${code ? ` (${code})` : ""}: let this user read it, or remove it and set the variables otherwise`,
    );
  }
}
