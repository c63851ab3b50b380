import path from "node:path";
import { ended, startChild } from "./child";
import { isBuilt, removeStamp, requireBuildPackages, writeStamp } from "./build-stamp";
import { Failure, runProgram } from "./failure";
import { buildPrograms, sourcesDigest } from "./programs.mjs";
import { root } from "./root";
import { compressStaticFiles } from "./static-files";

/** `npm run build`: needs no configuration, and leaves a stamp that proves that it finished. */
await runProgram("Gancho cannot be built", async () => {
  requireBuildPackages();
  const digest = sourcesDigest("pages");
  removeStamp();
  await buildPrograms();
  const end = await ended(
    startChild({
      file: path.join(root, "node_modules/next/dist/bin/next"),
      args: ["build"],
      env: {
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
        // Whatever else the framework believes is missing: it must not fetch it unasked.
        npm_config_offline: "true",
        GANCHO_BUILD_ID: digest.slice(0, 20),
      },
    }),
  );
  if (end !== 0 || !isBuilt()) throw new Failure("see the messages above");
  await compressStaticFiles(path.join(root, ".next", "static"));
  writeStamp(digest);
});
