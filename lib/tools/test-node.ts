import { Failure, runProgram } from "@/lib/cli/failure";
import { requirePostgres } from "@/lib/tools/test/required-programs";
import { runStep, type Step } from "@/lib/tools/test/step";

/**
 * `npm run test:node24`, or `npm run test:node -- MAJOR`: the unit tests, and the archive as an operator starts it,
 * with another release of Node. npm's registry has Node's binaries as packages; npm fetches the named one into its
 * cache and checks its digest, and nothing of it gets into the lock file.
 */
const releases: Record<string, string> = { 22: "22.23.3", 24: "24.21.0", 26: "26.10.0" };

const tsx = ["--import", "tsx"];
const reactServer = ["--conditions=react-server"];

await runProgram("The tests did not pass", async () => {
  const [major = ""] = process.argv.slice(2);
  const release = releases[major];
  if (release === undefined)
    throw new Failure(`name a release of Node: ${Object.keys(releases).join(", ")}`);
  requirePostgres();
  const binary = `--package=node-${process.platform}-${process.arch}@${release}`;
  const withNode = (name: string, ...args: string[]): Step => ({
    name: `${name}, on Node ${release}`,
    command: ["npm", "exec", "--yes", binary, "--", "node", ...args],
  });
  const steps = [
    withNode("release", "--version"),
    withNode("unit tests, on SQLite and PostgreSQL", "node_modules/vitest/vitest.mjs", "run"),
    withNode("the archive, built with it", ...tsx, "lib/tools/package.ts"),
    withNode("the archive, started with it", ...reactServer, ...tsx, "e2e/package/main.ts"),
  ];
  for (const step of steps) {
    console.log(`\n── ${step.name}`);
    const { passed, seconds } = await runStep(step);
    console.log(`${passed ? "passed" : "FAILED"}  ${seconds} s`);
    if (!passed) throw new Failure("see the step above");
  }
});
