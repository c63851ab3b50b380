import { errorCode } from "@/lib/platform/runtime/network-error";
import { ensurePrivateDir } from "@/lib/platform/runtime/folders";
import { accessSync, constants } from "node:fs";
import path from "node:path";
import { CliError } from "./failure";

/** Makes the folder of GANCHO_DATA_DIR where it is missing. Throws `CliError` where it cannot be written. */
export function requireDataFolder(folder: string): void {
  try {
    ensurePrivateDir(folder);
    // With a separator at the end, so that a file in its place is refused too.
    accessSync(path.join(folder, path.sep), constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = errorCode(error);
    throw new CliError(
      `nothing can be kept in ${folder}${code ? ` (${code})` : ""}: set GANCHO_DATA_DIR to a folder that can be written`,
    );
  }
}
