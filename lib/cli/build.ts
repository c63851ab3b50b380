import { ended, startChild } from "./child";
import { isBuilt, removeStamp, sourcesDigest, writeStamp } from "./build-stamp";
import { Failure, runProgram } from "./failure";

/** `npm run build`: needs no configuration, and leaves a stamp by which others see that it finished. */
await runProgram("Gancho cannot be built", async () => {
  const digest = sourcesDigest();
  removeStamp();
  const end = await ended(
    startChild({
      file: "node_modules/next/dist/bin/next",
      args: ["build"],
      env: {
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        GANCHO_BUILD_ID: digest.slice(0, 20),
      },
    }),
  );
  if (end !== 0 || !isBuilt()) throw new Failure("see the messages above");
  writeStamp(digest);
});
