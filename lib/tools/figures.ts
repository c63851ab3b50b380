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

/**
 * Prints how large Gancho is, how large it should be at most, and why something is larger: `npm run figures`. Lines are
 * those of code, without comments and blank lines.
 */
const files = execFileSync("git", ["ls-files"], { cwd: root })
  .toString()
  .split("\n")
  .filter((file) => existsSync(path.join(root, file)));
const sources = files.filter((file) => /\.(?:tsx?|mjs)$/.test(file) && !file.endsWith(".d.ts"));
const isTest = (file: string) =>
  /\.test\.|\.spec\.|\/testing\/|^e2e\/|^lib\/tools\/test/.test(file);
const product = sources.filter((file) => /^(?:app|components|lib)\//.test(file) && !isTest(file));
const tests = sources.filter(isTest);
const saveRoute = behind("app/api/partners/[partner]/[environment]/webhooks/route.ts");
const records = files.filter((file) => /^docs\/decisions\/(?!README)/.test(file));
const { dependencies } = JSON.parse(read("package.json")) as { dependencies: object };

type Figure = {
  name: string;
  value: number | string;
  /** The most that it should be. */
  aim?: number;
  /** Why it is more. */
  why?: string;
};

const stays =
  "Sign-in, people, history, four-eyes approval, alerts, checks, two engines and two languages stay; each folder was read line by line for what else could go.";
const behaviours =
  "Each behaviour is tested at one level; what is left are rules, faults and attacks of which each has its own test.";
const figures: Figure[] = [
  { name: "product: lines", value: linesOf(product), aim: 38_000, why: stays },
  { name: "product: files", value: product.length, aim: 560, why: stays },
  {
    name: "components and app: lines",
    value: linesOf(product.filter((file) => !file.startsWith("lib/"))),
    aim: 14_500,
  },
  {
    name: "tests and what only they use: lines",
    value: linesOf(tests),
    aim: 33_000,
    why: behaviours,
  },
  {
    name: "the same with comments and blank lines",
    value: tests.reduce((sum, file) => sum + length(file), 0),
    aim: 40_000,
    why: behaviours,
  },
  {
    name: "npm test: seconds, of its last run here",
    value: secondsOfLastRun("npm test") ?? "–",
    aim: 300,
  },
  {
    name: "npm run test:all: the same",
    value: secondsOfLastRun("npm run test:all") ?? "–",
    aim: 720,
  },
  {
    name: "files behind the save route",
    value: saveRoute.length,
    aim: 95,
    why: `${saveRoute.filter((file) => file.startsWith("lib/platform/")).length} of them are the platform that every route has behind it; turning imports round would hide them, not remove them.`,
  },
  {
    name: "lines behind the save route",
    value: linesOf(saveRoute),
    aim: 9_500,
    why: `${linesOf(saveRoute.filter((file) => file.startsWith("lib/platform/")))} of them are the platform's.`,
  },
  {
    name: "shapes of a webhook from list to screen, counted by hand",
    value: 38,
    aim: 15,
    why: "Each is a stage at which something else is known: asked, recorded, sent, shown, compared. One type with optional fields would let a stage read what it cannot know.",
  },
  { name: "places of a new kind of history entry, tried by hand", value: 2, aim: 2 },
  { name: "files of a note on a save, tried by hand", value: 10, aim: 10 },
  {
    name: "files of a time zone of a partner, counted by hand",
    value: 26,
    aim: 15,
    why: "Ten of them are a setting's own: section, schema, route, words and tests. The zone itself is read in one place.",
  },
  { name: "tables", value: Object.keys(tables).length, aim: 34 },
  { name: "migrations", value: Object.keys(thisRelease.migrations).length, aim: 1 },
  { name: "variables", value: allVariables().length, aim: 36 },
  { name: "commands", value: Object.keys(commands).length, aim: 11 },
  { name: "dependencies", value: Object.keys(dependencies).length, aim: 35 },
  { name: "decision records", value: records.length, aim: 18 },
  { name: "decision records: words", value: records.reduce((sum, file) => sum + words(file), 0) },
  { name: "docs/operate.md: lines", value: length("docs/operate.md"), aim: 320 },
  { name: "CONTRIBUTING.md: words", value: words("CONTRIBUTING.md"), aim: 1_600 },
];
for (const { name, value, aim, why } of figures) {
  const isOver = aim !== undefined && typeof value === "number" && value > aim;
  console.log(
    `${String(value).padStart(7)}  ${name}${aim === undefined ? "" : ` (at most ${aim})`}${isOver && why ? `\n         over: ${why}` : ""}`,
  );
}

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
