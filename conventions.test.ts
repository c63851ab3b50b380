import { existsSync, readdirSync, readFileSync } from "node:fs";
import path, { matchesGlob } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "oxc-parser";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL(".", import.meta.url));
const read = (path: string) => readFileSync(root + path, "utf8");

const folders = ["app", "components", "deploy", "docs", "e2e", "lib"];
const files = folders.flatMap((folder) =>
  readdirSync(root + folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length))
    // The bench's empty application has packages and a build of its own.
    .filter((path) => !/\/(?:node_modules|\.next)\//.test(path)),
);
const sources = files.filter((path) => /\.(?:ts|tsx|mjs)$/.test(path));

/** Each file that a pattern's braces name, so that none of them hides a missing one; endings may be of any kind. */
function alternatives(pattern: string): string[] {
  const braces = /\{((?!tsx?,|tsx?\})[^{}]+)\}/.exec(pattern);
  if (!braces) return [pattern];
  const [all, inside = ""] = braces;
  return inside.split(",").flatMap((one) => alternatives(pattern.replace(all, one)));
}

/** What `!(a|b)` leaves out, as a pattern for each. */
function leftOut(pattern: string): string[] {
  const [, before = "", names] = /^(.*?)!\(([^()]+)\)/.exec(pattern) ?? [];
  return names === undefined ? [pattern] : names.split("|").map((name) => before + name);
}

function leadsSomewhere(pattern: string): boolean {
  if (!/[*?{]/.test(pattern)) return existsSync(root + pattern);
  return files.some((path) => matchesGlob(path, pattern) || matchesGlob(path, `${pattern}/**`));
}

it("the configurations name no path that leads nowhere", () => {
  const quoted = new RegExp(
    `["'\`](?:\\./)?((?:\\{lib|${folders.join("|")})[,/][^"'\`$ ]*)["'\`]`,
    "g",
  );
  const missing = [
    "eslint.config.mjs",
    "vitest.config.ts",
    "playwright.config.ts",
    "knip.json",
  ].flatMap((config) => {
    const named = [...read(config).matchAll(quoted)].map(([, path = ""]) => path);
    expect(named, config).not.toEqual([]);
    const paths = named.flatMap(alternatives).flatMap(leftOut);
    return paths.filter((path) => !leadsSomewhere(path)).map((path) => `${config}: ${path}`);
  });
  expect(missing).toEqual([]);
});

it("each part of the platform and each feature has a zone of imports, and each zone a folder", () => {
  const zones = [...read("eslint.config.mjs").matchAll(/^ {2}(part|feature)\(\s*"([\w-]+)"/gm)].map(
    ([, kind, name = ""]) => (kind === "part" ? `lib/platform/${name}` : `lib/${name}`),
  );
  const below = (folder: string) => readdirSync(root + folder).map((name) => `${folder}/${name}`);
  // These are programs, and may import anything.
  const programs = ["lib/cli", "lib/sandbox", "lib/tools"];
  const all = [...below("lib"), ...below("lib/platform")];
  const known = [...programs, "lib/platform"];
  expect(zones.sort()).toEqual(all.filter((folder) => !known.includes(folder)).sort());
});

/** The files that run because this one does; one that is imported later, by a press for example, is none of them. */
function runsWith(file: string): string[] {
  const { staticImports, staticExports } = parseSync(root + file, read(file)).module;
  const imported = staticImports
    .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
    .map(({ moduleRequest }) => moduleRequest.value);
  const passedOn = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ moduleRequest, isType }) =>
      moduleRequest && !isType ? [moduleRequest.value] : [],
    ),
  );
  return [...imported, ...passedOn].flatMap((specifier) => {
    if (!/^(?:@\/|\.)/.test(specifier)) return [];
    const base = specifier.startsWith("@/")
      ? specifier.slice(2)
      : path.join(path.dirname(file), specifier);
    return [base, `${base}.ts`, `${base}.tsx`].filter((each) => sources.includes(each));
  });
}

it("no file runs because of one that runs because of it", () => {
  const graph = new Map(sources.map((file) => [file, runsWith(file)]));
  expect([...graph.values()].flat().length).toBeGreaterThan(1_000);
  // What imports nothing of the rest is in no circle: what is left in the end is in one, or leads to one.
  for (let before = Infinity; graph.size < before;) {
    before = graph.size;
    for (const [file, imported] of graph)
      if (!imported.some((each) => graph.has(each))) graph.delete(file);
  }
  expect([...graph].map(([file, all]) => [file, all.filter((each) => graph.has(each))])).toEqual(
    [],
  );
});

it("an error says the name of its class, by which it is found in a log", () => {
  const declared = /^(?:export )?class (\w+) extends (\w+) \{(?:\}|([^]*?)^\})/gm;
  const classes = sources.flatMap((path) =>
    [...read(path).matchAll(declared)].map(([, name = "", parent = "", body = ""]) => ({
      path,
      name,
      parent,
      body,
    })),
  );
  const errors = new Set(["Error"]);
  for (const { name, parent } of [...classes, ...classes]) if (errors.has(parent)) errors.add(name);
  const found = classes.filter(({ parent }) => errors.has(parent));
  expect(found.length).toBeGreaterThan(5);
  // One that extends another of ours may go by its name, where callers ask for that.
  const others = found.filter(({ name, parent, body }) => {
    const own = / name(?:: string)? = "?(\w+)?/.exec(body)?.[1];
    return own === undefined ? parent === "Error" : own !== name;
  });
  expect(others.map(({ path, name }) => `${path}: ${name}`)).toEqual([]);
});

it("the code cites no document that is not there, nor a section of one", () => {
  const cited = sources.flatMap((path) =>
    [...read(path).matchAll(/docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(([cite]) => ({ path, cite })),
  );
  expect(cited.length).toBeGreaterThan(10);
  const missing = cited.filter(({ cite }) => {
    const [file = "", section] = cite.split("#");
    if (!existsSync(root + file)) return true;
    const headings = [...read(file).matchAll(/^#+ (.*)$/gm)].map(([, text = ""]) => anchorOf(text));
    return section !== undefined && !headings.includes(section);
  });
  expect(missing).toEqual([]);
});

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s/g, "-");
}
