import { buildState } from "@/lib/cli/build-stamp";
import { ended, startChild } from "@/lib/cli/child";
import { Failure } from "@/lib/cli/failure";
import type { LogFile } from "./log-file";

/** Builds the dashboard unless the last build is of the present sources. */
export async function buildWhenNeeded(log: LogFile): Promise<void> {
  const state = buildState();
  if (state === "current") return;
  console.log(state === "none" ? "Building the dashboard …" : "Building the changed dashboard …");
  const end = await ended(startChild({ file: "lib/cli/build.ts", stdout: log.handle }));
  if (end !== 0) throw new Failure(`the build failed; it says why in ${log.path}`);
}
