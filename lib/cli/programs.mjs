import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/*
 * Gancho's programs as Node runs them: compiled. `npm run build` writes those of production into `dist`, and `npm start`
 * runs them from there. Everything else runs the code at hand: it is compiled, within a second or two, into a folder of
 * the cache that is called after the digest of its sources, so that nothing older can be run by mistake.
 *
 * Plain JavaScript, because it runs before anything is compiled.
 */

/** The folder of the project, or of an unpacked release: this file is in it, or compiled into one of its folders. */
export const root = folderOfPackage(path.dirname(fileURLToPath(import.meta.url)));

/** The programs of production. */
const production = {
  start: "lib/cli/start.ts",
  migrate: "lib/cli/migrate.ts",
  gancho: "lib/cli/gancho.ts",
  sandbox: "lib/cli/sandbox.ts",
  "follow-parent": "lib/cli/follow-parent.mjs",
};

/** Further programs of a checkout; tests start the last ones. */
const development = {
  build: "lib/cli/build.ts",
  demo: "lib/cli/demo.ts",
  "load-commands": "lib/cli/testing/load-commands-program.ts",
  parent: "lib/cli/testing/parent-program.ts",
  "migrate-copy": "lib/platform/database/testing/migrate-program.ts",
  "calls-once": "lib/platform/payment-service/testing/calls-once-program.ts",
  follower: "lib/webhooks/testing/follow-program.ts",
  sender: "lib/alerts/testing/sender-program.ts",
  watcher: "lib/watch/testing/watch-program.ts",
  pruner: "lib/history/testing/prune-program.ts",
  recorder: "lib/history/testing/record-program.ts",
  "faulty-upstream": "e2e/faulty-upstream/main.ts",
};

/** Packages that are native, or that load parts of themselves by name: not bundled, for pages as well as programs. */
export const externalPackages = [
  "libsql",
  "pg",
  "@node-rs/argon2",
  "@simplewebauthn/server",
  "pino",
  "prom-client",
  "undici",
];

/** The folder that `npm run build` compiles into, and the file that it writes last: incomplete programs have none. */
export const built = { programs: path.join(root, "dist"), stamp: "sources" };

/** Whether this is the project, and not an unpacked release, which has nothing to compile. */
export const isCheckout = existsSync(path.join(root, production.start));

/**
 * The file of a program that is of the code at hand. Rejects where it has to be compiled and cannot be.
 * @param {keyof typeof production | keyof typeof development} name
 */
export async function programFile(name) {
  const digest = isCheckout ? sourcesDigest("programs") : null;
  const isInBuild = Object.hasOwn(production, name) && (digest === null || digest === builtFrom());
  const folder = isInBuild || digest === null ? built.programs : await compiledFolder(digest);
  return path.join(folder, `${name}.mjs`);
}

/** The digest of the sources that a folder of programs was compiled from; null where there is no finished one. */
export function builtFrom(folder = built.programs) {
  const file = path.join(folder, built.stamp);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/** Compiles the programs of production into `dist`, all of them or none. */
export async function buildPrograms() {
  const digest = sourcesDigest("programs");
  const folder = await compile(production, path.dirname(built.programs), digest);
  rmSync(built.programs, { recursive: true, force: true });
  renameSync(folder, built.programs);
}

/** @param {string} digest */
async function compiledFolder(digest) {
  const cache = path.join(root, "node_modules", ".cache", "gancho");
  const folder = path.join(cache, digest.slice(0, 20));
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  removeOld(cache);
  const compiled = await compile({ ...production, ...development }, cache, digest);
  try {
    renameSync(compiled, folder);
  } catch (error) {
    rmSync(compiled, { recursive: true, force: true });
    // Another one was quicker, with the same result.
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/**
 * Gives a new folder in `parent`.
 * @param {Record<string, string>} entryPoints
 * @param {string} parent
 * @param {string} digest
 */
async function compile(entryPoints, parent, digest) {
  const { build, stop } = await import("esbuild");
  const folder = mkdtempSync(path.join(parent, ".programs-"));
  try {
    await build({
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      outExtension: { ".js": ".mjs" },
      chunkNames: "[name]-[hash]",
      bundle: true,
      splitting: true,
      format: "esm",
      platform: "node",
      target: "node20.19",
      sourcemap: true,
      sourcesContent: false,
      alias: { "@": root },
      // As in the framework's server rendering; none of these programs renders anything itself.
      conditions: ["react-server"],
      external: [...externalPackages, "esbuild", "vitest"],
      plugins: [
        {
          name: "the framework, but not the parts that can be asked for alone",
          setup: ({ onResolve }) => {
            onResolve({ filter: /^next$/ }, ({ path: name }) => ({ path: name, external: true }));
          },
        },
      ],
      // For packages that are not modules yet.
      banner: {
        js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
      },
      logLevel: "warning",
    });
    writeFileSync(path.join(folder, built.stamp), digest);
    return folder;
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  } finally {
    await stop();
  }
}

/**
 * What was compiled yesterday is of no use any more; what a program runs from was compiled just now.
 * @param {string} cache
 */
function removeOld(cache) {
  const yesterday = Date.now() - 24 * 3_600_000;
  for (const name of readdirSync(cache)) {
    const folder = path.join(cache, name);
    const made = statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Infinity;
    if (made < yesterday) rmSync(folder, { recursive: true, force: true });
  }
}

/** The sources of the pages, and of the programs: a change makes them out of date. Neither includes tests. */
const sources = {
  pages: {
    folders: ["app", "components", "lib", "public"],
    // This file names packages that stay outside of the pages.
    left: /(\.test\.tsx?$|^lib[\\/](cli[\\/](?!programs\.mjs$)|sandbox[\\/]))/,
  },
  programs: { folders: ["lib", "e2e/faulty-upstream"], left: /\.test\.tsx?$/ },
};
const ofRoot = /^(package-lock\.json|package\.json|tsconfig\.json|[a-z-]+\.(ts|mjs))$/;
const toolsOfRoot = /(\.test\.ts$|^(vitest|playwright|eslint)\.|^next-env\.)/;

/** @param {keyof typeof sources} of */
export function sourcesDigest(of) {
  const { folders, left } = sources[of];
  const files = folders
    .filter((folder) => existsSync(path.join(root, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name))),
    )
    .filter((file) => !left.test(file));
  const others = readdirSync(root).filter((name) => ofRoot.test(name) && !toolsOfRoot.test(name));
  const hash = createHash("sha256");
  for (const file of [...files, ...others].sort()) {
    const content = readFileSync(path.join(root, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** @param {string} folder */
function folderOfPackage(folder) {
  return existsSync(path.join(folder, "package.json"))
    ? folder
    : folderOfPackage(path.dirname(folder));
}
