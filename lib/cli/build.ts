import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { ended, startChild } from "./child";
import { CliError, runProgram } from "./failure";
import { compilePrograms } from "./compile-programs";
import { compiledPrograms } from "./programs.mjs";
import { root } from "./root";
import { compressStaticFiles } from "./static-files";

/** `npm run build`: needs no configuration. Compiles the programs last, so that an aborted build cannot start. */
await runProgram("Gancho cannot be built", async () => {
  rmSync(compiledPrograms, { recursive: true, force: true });
  const commit = commitOfSources();
  const end = await ended(
    startChild({
      args: [path.join(root, "node_modules/next/dist/bin/next"), "build"],
      env: {
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
        // The framework must not install packages that it believes to be missing.
        npm_config_offline: "true",
        ...(commit && { GANCHO_BUILD_ID: commit }),
      },
    }),
  );
  if (end !== 0) throw new CliError("see the messages above");
  await compressStaticFiles(path.join(root, ".next", "static"));
  await compilePrograms(compiledPrograms);
});

/** Null where the sources are not an unchanged commit. */
function commitOfSources(): string | null {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : null;
  } catch {
    return null;
  }
}
