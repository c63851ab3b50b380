import { commands } from "@/lib/cli/commands/all";
import { root } from "@/lib/cli/root";
import { thisRelease } from "@/lib/platform/database/migrate";
import { tables } from "@/lib/platform/database/tables";
import { allVariables } from "@/lib/tools/generated-docs";
import { secondsOfLastRun } from "@/lib/tools/test/seconds";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** Prints how large Gancho is: `npm run figures`. Lines are those of code, without comments and blank lines. */
const files = execFileSync("git", ["ls-files"], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => existsSync(path.join(root, file)));
const sources = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.endsWith(".d.ts"));
const isTest = (file: string) =>
  /\.test\.|\.spec\.|\/testing\/|^e2e\/|^lib\/tools\/test/.test(file);
const product = sources.filter((file) => /^(?:app|components|lib)\//.test(file) && !isTest(file));
const tests = sources.filter(isTest);
const isPlatform = (file: string) => file.startsWith("lib/platform/");
const saveRoute = behind("app/api/partners/[partner]/[environment]/webhooks/route.ts");
const records = files.filter((file) => /^docs\/decisions\/(?!README)/.test(file));
const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };

const figures: [name: string, value: number | string][] = [
  ["product: lines", linesOf(product)],
  ["product: files", product.length],
  ["components and app: lines", linesOf(product.filter((file) => !file.startsWith("lib/")))],
  ["tests and what only they use: lines", linesOf(tests)],
  ["the same with comments and blank lines", tests.reduce((sum, file) => sum + length(file), 0)],
  ["npm test: seconds, of its last run here", secondsOfLastRun("npm test") ?? "–"],
  ["npm run test:all: the same", secondsOfLastRun("npm run test:all") ?? "–"],
  ["files behind the save route", saveRoute.length],
  ["of them the platform's", saveRoute.filter(isPlatform).length],
  ["lines behind the save route", linesOf(saveRoute)],
  ["of them the platform's", linesOf(saveRoute.filter(isPlatform))],
  ["shapes of a webhook from list to screen, counted by hand", 38],
  ["places of a new kind of history entry, tried by hand", 2],
  ["files of a note on a save, tried by hand", 10],
  ["files of a time zone of a partner, counted by hand", 26],
  ["tables", Object.keys(tables).length],
  ["migrations", Object.keys(thisRelease.migrations).length],
  ["variables", allVariables().length],
  ["commands", Object.keys(commands).length],
  ["dependencies", Object.keys(dependencies).length],
  ["decision records", records.length],
  ["decision records: words", records.reduce((sum, file) => sum + words(file), 0)],
  ["docs/operate.md: lines", length("docs/operate.md")],
  ["CONTRIBUTING.md: words", words("CONTRIBUTING.md")],
];
for (const [name, value] of figures) console.log(`${String(value).padStart(7)}  ${name}`);

function read(file: string): string {
  return readFileSync(path.join(root, file), "utf8");
}

function length(file: string): number {
  return read(file).trimEnd().split("\n").length;
}

function words(file: string): number {
  return read(file).trim().split(/\s+/).length;
}

function linesOf(list: string[]): number {
  return list.reduce((sum, file) => sum + codeLines(file), 0);
}

/** Those on which something begins or ends that is no comment. */
function codeLines(file: string): number {
  const source = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest, true);
  const lines = new Set<number>();
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    if (children.length > 0) return children.forEach(visit);
    if (node.getEnd() === node.getStart(source)) return;
    const [first, last] = [node.getStart(source), node.getEnd()].map(
      (at) => source.getLineAndCharacterOfPosition(at).line,
    );
    for (let line = first ?? 0; line <= (last ?? 0); line++) lines.add(line);
  };
  visit(source);
  return lines.size;
}

/** What a file needs, directly or through others, and the file itself. */
function behind(file: string): string[] {
  const found = new Set([file]);
  for (const one of found)
    for (const { fileName } of ts.preProcessFile(read(one)).importedFiles) {
      const stem = fileName.startsWith("@/")
        ? fileName.slice(2)
        : path.join(path.dirname(one), fileName);
      const next = [stem, `${stem}.ts`, `${stem}.tsx`].find((each) => sources.includes(each));
      if (/^(?:@\/|\.)/.test(fileName) && next) found.add(next);
    }
  return [...found];
}
