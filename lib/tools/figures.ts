import { root } from "@/lib/cli/root";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/**
 * Prints how large the code is and how it hangs together: `npm run figures [-- CHECKOUT]`. Leaves out tests and what
 * only tests use. Reads the files that git tracks, so it also measures an older checkout.
 */
const checkout = path.resolve(process.argv[2] ?? root);
const sources = new Map(
  execFileSync("git", ["ls-files", "--", "app", "components", "lib", "e2e"], { cwd: checkout })
    .toString()
    .split("\n")
    .filter(
      (file) => /\.tsx?$/.test(file) && !/\.test\.|\.spec\.|\.d\.ts$|\/testing\/|^e2e\//.test(file),
    )
    .filter((file) => existsSync(path.join(checkout, file)))
    .map((file) => [file, readFileSync(path.join(checkout, file), "utf8")] as const),
);

const imports = new Map([...sources].map(([file, text]) => [file, importsOf(file, text)]));
const importers = new Map<string, number>();
for (const imported of imports.values())
  for (const file of imported) importers.set(file, (importers.get(file) ?? 0) + 1);

const lengths = [...sources.values()].map((text) => text.trimEnd().split("\n").length);
const names = [...sources].flatMap(([file, text]) => exportsOf(file, text));
const shared = names.filter((name, at) => names.indexOf(name) !== at);

const figures: [string, number][] = [
  ["files", sources.size],
  ["lines", lengths.reduce((sum, length) => sum + length, 0)],
  ["median of lines in a file", lengths.sort((a, b) => a - b)[lengths.length >> 1] ?? 0],
  ["files of 15 lines or fewer", lengths.filter((length) => length <= 15).length],
  ["files with one importer", [...importers.values()].filter((count) => count === 1).length],
  ["files loose in lib", [...sources.keys()].filter((file) => /^lib\/[^/]+$/.test(file)).length],
  [
    "files behind the Webhooks screen",
    behind(/^components\/webhooks\/(list\/)?webhooks-screen\.tsx$/),
  ],
  ["files behind a reading", behind(/^lib\/webhooks\/(server\/read\/)?read\.ts$/)],
  ["files behind a save", behind(/^lib\/webhooks\/(server\/save\/)?save\.ts$/)],
  ["exported names that several files use", new Set(shared).size],
  ["runs of six lines or more that stand twice", repeated()],
];
for (const [name, value] of figures) console.log(`${String(value).padStart(7)}  ${name}`);

function importsOf(file: string, text: string): string[] {
  return ts
    .preProcessFile(text)
    .importedFiles.map(({ fileName }) => resolve(file, fileName))
    .filter((found) => found !== undefined);
}

function resolve(from: string, specifier: string): string | undefined {
  if (!/^(@\/|\.)/.test(specifier)) return undefined;
  const stem = specifier.startsWith("@/")
    ? specifier.slice(2)
    : path.join(path.dirname(from), specifier);
  return [stem, `${stem}.ts`, `${stem}.tsx`].find((file) => sources.has(file));
}

function exportsOf(file: string, text: string): string[] {
  // The framework names these.
  if (file.startsWith("app/")) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  return source.statements
    .filter(
      (statement) =>
        ts.canHaveModifiers(statement) &&
        ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
    )
    .flatMap((statement) => {
      if (ts.isVariableStatement(statement))
        return statement.declarationList.declarations.map(({ name }) => name.getText(source));
      const { name } = statement as { name?: ts.Identifier };
      return name ? [name.text] : [];
    });
}

/** How many files one needs, directly or through others. */
function behind(pattern: RegExp): number {
  const found = new Set([...sources.keys()].filter((file) => pattern.test(file)));
  for (const file of found) for (const next of imports.get(file) ?? []) found.add(next);
  return found.size - 1;
}

function repeated(): number {
  const windows = new Map<string, number>();
  let runs = 0;
  for (const text of sources.values()) {
    const lines = text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length > 3 && !line.startsWith("import "));
    let inRun = false;
    for (let at = 0; at + 6 <= lines.length; at++) {
      const window = lines.slice(at, at + 6).join("\n");
      const before = windows.get(window) ?? 0;
      windows.set(window, before + 1);
      if (before > 0 && !inRun) runs++;
      inRun = before > 0;
    }
  }
  return runs;
}
