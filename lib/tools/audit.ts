import { spawnSync } from "node:child_process";
import { judge } from "@/lib/tools/audit/judge";
import { Failure, runProgram } from "@/lib/cli/failure";
import { root } from "@/lib/cli/root";

/** The exit code where the registry could not be reached: neither good nor bad is known. */
const unreachableCode = 3;

/** `npm run audit`: whether what runs in production has a known fault that is high or critical. */
await runProgram("The dependencies are not known to be safe", () => {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  const judged = judge(stdout);
  if (judged.outcome === "found") throw new Failure(...judged.lines);
  if (judged.outcome === "unreachable") {
    process.exitCode = unreachableCode;
    throw new Failure(`the registry could not be asked for advisories (${judged.why})`);
  }
  for (const line of judged.lesser) console.log(line);
  console.log(
    `Nothing high or critical in ${judged.dependencies} packages that run in production.`,
  );
  return Promise.resolve();
});
