import { mkdirSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { externalPackages } from "./programs.mjs";
import { root } from "./root";

const programs = ["start", "migrate", "gancho", "sandbox", "follow-parent"];

/** Compiles all programs, or none. Users other than the builder can run them, as far as the umask lets them read. */
export async function compilePrograms(target: string): Promise<void> {
  const folder = path.join(root, `.programs-${process.pid}`);
  mkdirSync(folder);
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
          name: "keep the framework external, but bundle the modules below it",
          setup: ({ onResolve }) => {
            onResolve({ filter: /^next$/ }, ({ path: name }) => ({ path: name, external: true }));
          },
        },
      ],
      // For packages in CommonJS.
      banner: {
        js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
      },
      logLevel: "warning",
    });
    renameSync(folder, target);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
