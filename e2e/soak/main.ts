/**
 * `npm run soak`: the promises about saves, against real processes and real faults, with figures. Needs a finished
 * build (`npm run build`). Bounded in time; ends with 1 when anything reported was false.
 */
import { randomBytes } from "node:crypto";
import { canary, canaryKey } from "@/e2e/canaries/canary";
import { faults } from "./faults";
import { install, type Engine, type Installation } from "./installation";
import { kills } from "./kills";
import { model } from "./model";
import { readOptions, usage, type PartName, type Sizes } from "./options";
import { reportTo, type Printed, type Report } from "./report";
import { rounds } from "./rounds";

type Part = (
  installation: Installation,
  report: Report,
  sizes: Sizes,
  engine: Engine,
) => Promise<void>;

const parts: Record<PartName, { run: Part; engines: Engine[] }> = {
  model: { run: model, engines: ["sqlite", "postgres"] },
  faults: { run: faults, engines: ["sqlite"] },
  rounds: { run: rounds, engines: ["sqlite", "postgres"] },
  kills: { run: kills, engines: ["sqlite", "postgres"] },
};

async function main(): Promise<void> {
  const { parts: chosen, sizes, engines: wanted } = readOptions(process.argv.slice(2));
  Object.assign(process.env, {
    AUTH_SECRET: canary("auth-secret", randomBytes(32).toString("hex")),
    ENCRYPTION_KEYS: `soak:${canaryKey()}`,
    GANCHO_URL: "http://localhost:3000",
    DATABASE_URL: "file:unused",
    PARTNER_API_ENVIRONMENTS: "lane-0=http://127.0.0.1:1",
  });
  const printed: Printed = { violations: 0 };
  for (const name of chosen) {
    const { run, engines } = parts[name];
    for (const engine of engines.filter((each) => wanted.includes(each))) {
      console.log(`\n${name}, ${engine === "sqlite" ? "SQLite" : "PostgreSQL"}`);
      const startedAt = performance.now();
      const report = reportTo(printed);
      const installation = await install(engine, sizes.lanes);
      try {
        await run(installation, report, sizes, engine);
        const { files, findings } = await installation.searchFiles();
        report.figure("files searched for secrets", files);
        report.check(findings.length === 0, () => `secrets got out: ${JSON.stringify(findings)}`);
      } finally {
        await installation.close();
      }
      report.figure("took, s", Math.round((performance.now() - startedAt) / 1_000));
    }
  }
  console.log(
    `\n${printed.violations === 0 ? "no violations" : `${printed.violations} VIOLATIONS`}`,
  );
  process.exitCode = printed.violations === 0 ? 0 : 1;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
  console.error(usage);
  process.exitCode = 1;
});
