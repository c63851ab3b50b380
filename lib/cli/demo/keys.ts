import { demoMark } from "@/lib/platform/env/mode";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { requireDataFolder } from "@/lib/cli/data-folder";

/**
 * The demo's AUTH_SECRET and ENCRYPTION_KEYS, made once and kept in the data folder, readable by their owner only. Each
 * begins with the mark by which a production configuration refuses it. Throws `CliError`.
 */
export function demoKeys(dataDir: string): { AUTH_SECRET: string; ENCRYPTION_KEYS: string } {
  requireDataFolder(dataDir);
  return {
    AUTH_SECRET: keep(path.join(dataDir, "auth-secret"), () => `${demoMark}${random("base64url")}`),
    ENCRYPTION_KEYS: keep(
      path.join(dataDir, "encryption-keys"),
      () => `${demoMark}1:${random("base64")}`,
    ),
  };
}

function random(encoding: "base64" | "base64url"): string {
  return randomBytes(32).toString(encoding);
}

/** Under another name until it is complete: half a key would lose what was sealed under it. */
function keep(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${process.pid}`;
    const handle = openSync(draft, "w", 0o600);
    writeSync(handle, make());
    fsyncSync(handle);
    closeSync(handle);
    chmodSync(draft, 0o600);
    renameSync(draft, file);
  }
  return readFileSync(file, "utf8");
}
