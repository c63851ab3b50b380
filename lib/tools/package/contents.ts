import { Failure } from "@/lib/cli/failure";
import { root } from "@/lib/cli/root";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/*
 * What of the production build and of the installed packages goes into a release: what the framework's build says that
 * its server opens (its *.nft.json), and the compiled programs.
 */

/** Beside the build. Of `deploy` by name: operators keep their secrets there, too. */
const papers = [
  "README.md",
  "CHANGELOG.md",
  "SECURITY.md",
  "LICENSE",
  ".env.example",
  "docs",
  "deploy/Dockerfile",
  "deploy/compose.yaml",
  "deploy/gancho.service",
  "deploy/grafana",
  "deploy/prometheus",
  "public",
  "dist",
];

/** In `.next`: leftovers for the next build, and for debugging. */
const notServed = new Set(["cache", "build", "diagnostics", "types", "trace", "trace-build"]);
const notOpened = /\.(map|nft\.json)$/;

/** Base styles and fonts, which are part of every page: a style sheet does not say where it is from. */
const inStyles = ["node_modules/tailwindcss/", "node_modules/geist/"];

/** Images are served as they are (next.config.mjs), so that nothing that works on them is needed. */
const notUsed = /^node_modules\/(sharp|@img)\//;

/** Builds of a package for the C library that this machine does not have. */
const otherLibc = isGlibc() ? /-musl\// : /-gnu\//;

export function copyPapers(from: string, to: string): void {
  for (const name of papers)
    cpSync(path.join(from, name), path.join(to, name), { recursive: true, verbatimSymlinks: true });
}

/** Copies all of it, but what is rewritten for a release. */
export function copyContents(folder: string): void {
  copyPapers(root, folder);
  for (const name of readdirSync(path.join(root, ".next")).filter((each) => !notServed.has(each)))
    cpSync(path.join(root, ".next", name), path.join(folder, ".next", name), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !notOpened.test(source),
    });
  for (const file of packageFiles()) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    cpSync(path.join(root, file), path.join(folder, file), { verbatimSymlinks: true });
  }
}

/** The folders of all packages with files in a release, as the lock file names them. */
export function packageFolders(): string[] {
  const compiledIn = [".next/server", "dist"].flatMap(compiledSources);
  for (const each of inStyles)
    if (!existsSync(path.join(root, each)))
      throw new Failure(`${each} is missing, whose licence has to be passed on: run npm ci`);
  const folders = [...packageFiles(), ...compiledIn, ...inStyles]
    .map((file) => /^.*node_modules\/(@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0])
    .filter((folder) => folder !== undefined)
    // Packages that were made of others' parts name places that are not here.
    .filter((folder) => existsSync(path.join(root, folder, "package.json")));
  return [...new Set(folders)].sort();
}

/** Of `node_modules`, by their paths from the project. */
function packageFiles(): string[] {
  const lists = filesBelow(".next").filter((file) => file.endsWith(".nft.json"));
  const files = lists.flatMap((list) => {
    const { files } = JSON.parse(readFileSync(path.join(root, list), "utf8")) as {
      files: string[];
    };
    return files.map((file) => path.join(path.dirname(list), file));
  });
  const ofPackages = files.filter((file) => file.startsWith("node_modules/"));
  return [...new Set([...ofPackages, ...openedByFramework()])].filter(
    (file) => !notUsed.test(file) && !otherLibc.test(file),
  );
}

/**
 * What the framework loads when our server starts it, before it serves: the build lists what comes after that. Found by
 * loading it, in the framework's own steps.
 */
function openedByFramework(): string[] {
  const steps = [
    "",
    ...["start-server", "router-server", "render-server"].map((each) => `lib/${each}`),
  ];
  const load = `${steps.map((step) => `require("next${step && `/dist/server/${step}`}");`).join("")}
    process.stdout.write(Object.keys(require.cache).join("\\n"), () => process.exit());`;
  const opened = execFileSync(process.execPath, ["--input-type=commonjs", "--eval", load], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, NODE_ENV: "production" },
  });
  return opened.split("\n").flatMap((file) => {
    const manifest = path.join(path.dirname(file), "package.json");
    return [file, ...(existsSync(manifest) ? [manifest] : [])].map((each) =>
      path.relative(root, each),
    );
  });
}

/** Files that went into what was compiled, by what its source maps say. */
function compiledSources(folder: string): string[] {
  type Map = { sources: string[]; sections?: { map: Map }[] };
  const of = (map: Map): string[] => map.sections?.flatMap((each) => of(each.map)) ?? map.sources;
  return filesBelow(folder)
    .filter((file) => file.endsWith(".map"))
    .flatMap((file) => of(JSON.parse(readFileSync(path.join(root, file), "utf8")) as Map))
    .filter((source) => source.includes("node_modules/"))
    .map((source) => decodeURIComponent(source.slice(source.indexOf("node_modules/"))));
}

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("/.next/cache"))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

function isGlibc(): boolean {
  const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
  return header.glibcVersionRuntime !== undefined;
}
