import { CliError, runProgram } from "@/lib/cli/failure";
import {
  requireBrowser,
  requireNginx,
  requirePasswordManager,
  requirePostgres,
  requirePrometheus,
  requireSquid,
} from "@/lib/tools/test/required-programs";
import { keepSeconds } from "@/lib/tools/test/seconds";
import { runStep, type Step } from "@/lib/tools/test/step";

/**
 * `npm test`: what must hold, cheapest first; the first stage with a step that fails ends it. `npm run test:all` also
 * checks the formatting and the alert rules, looks for unused code, takes the long runs, runs what stores something on
 * PostgreSQL, and looks at every screen: what must hold before a change lands.
 */
const all = process.argv.includes("--all");

const unitTests: Step = all
  ? {
      name: "unit tests, on SQLite and PostgreSQL",
      command: ["vitest", "run"],
      env: { TEST_ALL: "1" },
    }
  : { name: "unit tests, on SQLite", command: ["vitest", "run", "--project", "unit"] };

const formatting: Step = {
  name: "formatting",
  command: ["prettier", "--check", "--log-level", "warn", "."],
};
const alertRules: Step = {
  name: "alert rules",
  command: ["npm", "run", "--silent", "test:metrics"],
};
const unused: Step = { name: "unused code and dependencies", command: ["knip"] };

const stages: Step[][] = [
  [{ name: "address types", command: ["next", "typegen"] }],
  // Beside each other: each of them keeps one core busy, and prints nothing unless it finds something.
  [
    // TypeScript 7 in one thread takes less than half the processor time of TypeScript 5, which the linter needs.
    {
      name: "types",
      command: [
        "node",
        "node_modules/typescript-7/bin/tsc",
        "--noEmit",
        "--singleThreaded",
        "--incremental",
        "false",
      ],
    },
    {
      name: "lint",
      command: ["eslint", "--cache", "--cache-location", "node_modules/.cache/eslint/", "."],
    },
    ...(all ? [formatting, unused, alertRules] : []),
  ],
  // Beside each other too: unit tests leave a quarter of two cores idle.
  [unitTests, { name: "production build", command: ["npm", "run", "--silent", "build"] }],
  [
    {
      name: "end-to-end tests in a browser",
      // The main paths, and the project without pages: `--grep` sees a test's project, file, title and tags.
      command: ["playwright", "test", ...(all ? [] : ["--grep", "@main|^ ?http "])],
      env: { NODE_OPTIONS: "--conditions=react-server" },
    },
  ],
];

await runProgram("The tests did not pass", async () => {
  requireBrowser();
  requirePostgres();
  requireSquid();
  if (all) {
    requireNginx();
    requirePasswordManager();
    requirePrometheus();
  }
  const started = performance.now();
  const lines: string[] = [];
  let passed = true;
  for (const stage of stages) {
    if (!passed) break;
    console.log(`\n── ${stage.map(({ name }) => name).join(", ")}`);
    const results = await Promise.all(stage.map(runStep));
    for (const [at, result] of results.entries()) {
      const seconds = String(result.seconds).padStart(4);
      lines.push(`${result.passed ? "passed" : "FAILED"}  ${seconds} s  ${stage[at]?.name}`);
    }
    passed = results.every((result) => result.passed);
  }
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(`\n${lines.join("\n")}\n        ${String(seconds).padStart(4)} s  in all`);
  if (!passed) throw new CliError("see the step above");
  keepSeconds(all ? "npm run test:all" : "npm test", seconds);
});
