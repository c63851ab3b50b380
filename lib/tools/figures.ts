import { commands } from "@/lib/cli/commands/all";
import { root } from "@/lib/cli/root";
import { thisRelease } from "@/lib/platform/database/migrate";
import { tables } from "@/lib/platform/database/tables";
import { allVariables } from "@/lib/tools/generated-docs";
import { secondsOfLastRun } from "@/lib/tools/test/seconds";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import ts from "typescript";

/**
 * Prints how large Gancho is: `npm run figures [-- --beside=COMMIT]`. Lines are those of code, without comments and
 * blank lines. Beside it stands the last release, or the given commit; what is not counted in files is left out there.
 */
const { values } = parseArgs({ options: { beside: { type: "string" } } });
const earlier = values.beside ?? lastRelease();
const now = figuresOf(
  root,
  tracked().filter((file) => existsSync(path.join(root, file))),
);
const then = earlier === null ? {} : figuresAt(earlier);

const columns: [name: string, now: number | string, then: number | string | undefined][] = [
  ...Object.entries(now).map(([name, value]): (typeof columns)[number] => [
    name,
    value,
    then[name],
  ]),
  ["npm test: seconds, of its last run here", secondsOfLastRun("npm test") ?? "–", undefined],
  ["npm run test:all: the same", secondsOfLastRun("npm run test:all") ?? "–", undefined],
  ["shapes of a webhook from list to screen, counted by hand", 38, undefined],
  ["places of a new kind of history entry, tried by hand", 2, undefined],
  ["files of a note on a save, tried by hand", 10, undefined],
  ["files of a time zone of a partner, counted by hand", 26, undefined],
  ["tables", Object.keys(tables).length, undefined],
  ["migrations", Object.keys(thisRelease.migrations).length, undefined],
  ["variables", allVariables().length, undefined],
  ["commands", Object.keys(commands).length, undefined],
];
const cell = (value: number | string | undefined) => String(value ?? "").padStart(9);
if (earlier !== null) console.log(`${cell("now")}${cell(earlier.slice(0, 8))}`);
for (const [name, value, before] of columns)
  console.log(`${cell(value)}${earlier === null ? "" : cell(before)}  ${name}`);

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: root, stdio: ["ignore", "pipe", "ignore"] }).toString();
}

function tracked(...of: string[]): string[] {
  return git(...(of.length > 0 ? ["ls-tree", "-r", "--name-only", ...of] : ["ls-files"])).split(
    "\n",
  );
}

/** null: nothing is released. */
function lastRelease(): string | null {
  try {
    return git("describe", "--tags", "--abbrev=0").trim();
  } catch {
    return null;
  }
}

function figuresAt(commit: string): Record<string, number> {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-figures-"));
  const archive = path.join(folder, "files.tar");
  try {
    git("archive", "--output", archive, commit);
    execFileSync("tar", ["xf", archive, "-C", folder]);
    return figuresOf(
      folder,
      tracked(commit).filter((file) => existsSync(path.join(folder, file))),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What can be counted in the files of one version. */
function figuresOf(folder: string, files: readonly string[]): Record<string, number> {
  const sources = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.endsWith(".d.ts"));
  const isTest = (file: string) =>
    /\.test\.|\.spec\.|\/testing\/|^e2e\/|^lib\/tools\/test/.test(file);
  const product = sources.filter((file) => /^(?:app|components|lib)\//.test(file) && !isTest(file));
  const tests = sources.filter(isTest);
  const isPlatform = (file: string) => file.startsWith("lib/platform/");
  const read = (file: string) => readFileSync(path.join(folder, file), "utf8");
  const sumOf = (list: readonly string[], count: (text: string) => number) =>
    list.reduce((sum, file) => sum + count(read(file)), 0);
  const saveRoute = behind(
    "app/api/partners/[partner]/[environment]/webhooks/route.ts",
    sources,
    read,
  );
  const records = files.filter((file) => /^docs\/decisions\/(?!README)/.test(file));
  const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };
  return {
    "product: lines": sumOf(product, codeLines),
    "product: files": product.length,
    "components and app: lines": sumOf(
      product.filter((file) => !file.startsWith("lib/")),
      codeLines,
    ),
    "the heart's server code (lib/webhooks/server): lines": sumOf(
      product.filter((file) => file.startsWith("lib/webhooks/server/")),
      codeLines,
    ),
    "tests and what only they use: lines": sumOf(tests, codeLines),
    "the same with comments and blank lines": sumOf(tests, length),
    "files behind the save route": saveRoute.length,
    "files behind the save route, the platform's": saveRoute.filter(isPlatform).length,
    "lines behind the save route": sumOf(saveRoute, codeLines),
    "lines behind the save route, the platform's": sumOf(saveRoute.filter(isPlatform), codeLines),
    dependencies: Object.keys(dependencies).length,
    "decision records": records.length,
    "decision records: words": sumOf(records, words),
    "docs/operate.md: lines": sumOf(["docs/operate.md"], length),
    "CONTRIBUTING.md: words": sumOf(["CONTRIBUTING.md"], words),
  };
}

function length(text: string): number {
  return text.trimEnd().split("\n").length;
}

function words(text: string): number {
  return text.trim().split(/\s+/).length;
}

/** Those on which something begins or ends that is no comment. */
function codeLines(text: string): number {
  const source = ts.createSourceFile("any.tsx", text, ts.ScriptTarget.Latest, true);
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
function behind(
  file: string,
  sources: readonly string[],
  read: (file: string) => string,
): string[] {
  const all = new Set(sources);
  const found = new Set([file]);
  for (const one of found)
    for (const { fileName } of ts.preProcessFile(read(one)).importedFiles) {
      const stem = fileName.startsWith("@/")
        ? fileName.slice(2)
        : path.join(path.dirname(one), fileName);
      const next = [stem, `${stem}.ts`, `${stem}.tsx`].find((each) => all.has(each));
      if (/^(?:@\/|\.)/.test(fileName) && next) found.add(next);
    }
  return [...found];
}
