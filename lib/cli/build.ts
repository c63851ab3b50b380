import { execFileSync } from "node:child_process";
import { mkdtempSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { ended, startChild } from "./child";
import { Failure, runProgram } from "./failure";
import { compiledPrograms, externalPackages } from "./programs.mjs";
import { root } from "./root";
import { compressStaticFiles } from "./static-files";

const programs = ["start", "migrate", "gancho", "sandbox", "follow-parent"];

/** `npm run build`: needs no configuration. The programs come last: an aborted build has none, and does not start. */
await runProgram("Gancho cannot be built", async () => {
  rmSync(compiledPrograms, { recursive: true, force: true });
  const commit = commitOfSources();
  const end = await ended(
    startChild({
      args: [path.join(root, "node_modules/next/dist/bin/next"), "build"],
      env: {
        NODE_ENV: "production",
        NEXT_TELEMETRY_DISABLED: "1",
        NEXT_IGNORE_INCORRECT_LOCKFILE: "1",
        // Whatever the framework believes is missing: it must not fetch it unasked.
        npm_config_offline: "true",
        ...(commit && { GANCHO_BUILD_ID: commit }),
      },
    }),
  );
  if (end !== 0) throw new Failure("see the messages above");
  await compressStaticFiles(path.join(root, ".next", "static"));
  await compilePrograms();
});

/** Null where the sources are of no commit, or were changed since. */
function commitOfSources(): string | null {
  try {
    const git = (...args: string[]) =>
      execFileSync("git", args, {
        cwd: root,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      }).trim();
    return git("status", "--porcelain") === "" ? git("rev-parse", "HEAD") : null;
  } catch {
    return null;
  }
}

/** All of them or none. */
async function compilePrograms(): Promise<void> {
  const folder = mkdtempSync(path.join(root, ".programs-"));
  try {
    await build({
      absWorkingDir: root,
      entryPoints: Object.fromEntries(
        programs.map((name) => [
          name,
          `lib/cli/${name}.${name === "follow-parent" ? "mjs" : "ts"}`,
        ]),
      ),
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
      external: externalPackages,
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
    renameSync(folder, compiledPrograms);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
