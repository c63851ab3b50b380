import { Failure, runProgram } from "@/lib/cli/failure";
import { requireBrowser } from "@/lib/tools/test/browser";
import { requirePostgres } from "@/lib/tools/test/postgres";
import { runStep, type Step } from "@/lib/tools/test/step";

/** `npm test`: everything that must hold, cheapest first; the first step that fails ends it. */
const steps: Step[] = [
  { name: "address types", command: ["next", "typegen"] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "lint", command: ["eslint", "."] },
  { name: "formatting", command: ["prettier", "--check", "--log-level", "warn", "."] },
  { name: "unused code and dependencies", command: ["knip"] },
  { name: "unit tests, on SQLite and PostgreSQL", command: ["vitest", "run"] },
  { name: "production build", command: ["node", "lib/cli/run.mjs", "build"] },
  {
    name: "end-to-end tests in a browser",
    command: ["playwright", "test"],
    env: { NODE_OPTIONS: "--conditions=react-server" },
  },
];

await runProgram("The tests did not pass", async () => {
  requireBrowser();
  requirePostgres();
  const lines: string[] = [];
  for (const step of steps) {
    console.log(`\n── ${step.name}`);
    const { passed, seconds } = await runStep(step);
    lines.push(`${passed ? "passed" : "FAILED"}  ${String(seconds).padStart(4)} s  ${step.name}`);
    if (!passed) break;
  }
  console.log(`\n${lines.join("\n")}`);
  if (lines.length < steps.length || lines.some((line) => line.startsWith("FAILED")))
    throw new Failure("see the step above");
});
