import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { answersFolder } from "@/e2e/answers/recorded";
import { learnedFile, learnedNeedles } from "./learned";
import { markNeedles } from "./canary";
import type { Finding, Needle } from "./search";
import { issuedNeedles, searchAnswers } from "./search-answers";
import { searchFiles } from "./search-files";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** Where secrets belong: the sandbox's configuration and database. */
const belonging = /^(clients\.json|sandbox\.db(-wal|-shm)?)$/;

/** Recordings of a failed test. */
const recording = /\.(zip|png)$|error-context\.md$/;

/**
 * Fails, naming the place, when a secret of this run is in an answer of a dashboard, in its database or output, in a
 * file of the build, or in a test's artefact. Skips the recordings of failed tests: they show what a person typed, and
 * exist only in a run that has failed anyway.
 */
export async function expectNoSecrets(folder: string): Promise<void> {
  const recorded = path.join(folder, answersFolder);
  const needles = await needlesOf(folder);
  const ofAnswers = await searchAnswers(recorded, needles);
  const ofRun = searchFiles([folder], needles, isBelonging);
  const ofBuild = searchFiles([path.join(project, ".next")], needles, (file) =>
    /^(cache|dev)\//.test(file),
  );
  const results = path.join(project, "test-results");
  const ofTests = existsSync(results)
    ? searchFiles([results], needles, (file) => recording.test(file))
    : { findings: [], files: 0 };
  const findings = [
    ...ofAnswers.findings.map(({ answer, ...found }) => ({
      ...found,
      where: `the answer to ${answer}`,
    })),
    ...[ofRun, ofBuild, ofTests].flatMap((searched) =>
      searched.findings.map(({ file, ...found }) => ({ ...found, where: file })),
    ),
  ];
  if (findings.length > 0) throw new Error(`Secrets got out:\n${reported(findings)}`);
  // The search itself is checked where the secrets are.
  const control = searchFiles([folder], needles, (file) => file !== "clients.json");
  if (control.findings.length === 0) throw new Error("the secrets are not found where they belong");
  console.log(
    `No secret in ${ofAnswers.answers} answers, ${ofRun.files} files of the run, ${ofBuild.files} of the build and ` +
      `${ofTests.files} of tests. Looked for: ${counted(needles)}.`,
  );
}

/** Every known secret of a run so far. */
export async function needlesOf(folder: string): Promise<Needle[]> {
  const issued = await issuedNeedles(path.join(folder, answersFolder));
  const each = new Map(
    [...learnedNeedles(folder), ...issued].map((needle) => [needle.text, needle]),
  );
  return [...markNeedles, ...each.values()];
}

const isBelonging = (file: string) =>
  belonging.test(file) || file === learnedFile || file.startsWith(`${answersFolder}/`);

type Found = Finding & { where: string };

function reported(findings: readonly Found[]): string {
  const lines = findings.map(({ kind, form, where }) => `  a ${kind}, ${form}, in ${where}`);
  return [...new Set(lines)].join("\n");
}

function counted(needles: readonly Needle[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of needles) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts].map(([kind, count]) => `${kind} (${count})`).join(", ");
}
