import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { learnedFile, learnedNeedles } from "./learned";
import { markNeedles } from "./needles";
import { searchFiles, type FileFinding } from "./search-files";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** What Gancho is started with, and what of a run is the payment service's: there the secrets belong. */
const belonging = /^(clients\.json|sandbox\.db(-wal|-shm)?)$/;

/**
 * Fails, naming the files, when a secret of this run is in the dashboard's database or what it printed, in a file of
 * the build, or in a test's artefact. Traces and pictures of a test that failed are left out: they are there to show
 * what a person typed into the page, and exist only where the run has failed anyway.
 */
export function findNoSecrets(folder: string): void {
  const needles = [...markNeedles, ...learnedNeedles(folder)];
  const ofRun = searchFiles(
    [folder],
    needles,
    (file) => belonging.test(file) || file === learnedFile,
  );
  const ofBuild = searchFiles([path.join(project, ".next")], needles, (file) =>
    /^(cache|dev)\//.test(file),
  );
  const results = path.join(project, "test-results");
  const ofTests = existsSync(results)
    ? searchFiles([results], needles, (file) => /\.(zip|png)$/.test(file))
    : { findings: [], files: 0 };
  const findings = [...ofRun.findings, ...ofBuild.findings, ...ofTests.findings];
  if (findings.length > 0) throw new Error(`Secrets got out:\n${told(findings)}`);
  // A search that finds nothing where they are would find nothing anywhere.
  const control = searchFiles([folder], needles, (file) => file !== "clients.json");
  if (control.findings.length === 0) throw new Error("the secrets are not found where they belong");
  console.log(
    `No secret in ${ofRun.files} files of the run, ${ofBuild.files} of the build and ${ofTests.files} of tests.`,
  );
}

function told(findings: readonly FileFinding[]): string {
  return findings.map(({ kind, form, file }) => `  a ${kind}, ${form}, in ${file}`).join("\n");
}
