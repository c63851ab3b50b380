import { externalPackages, root } from "@/lib/cli/programs.mjs";
import { build } from "esbuild";
import path from "node:path";

/** Compiles `program.ts` into the project, from where its packages are found. Returns the file. */
export async function compileModelProgram(): Promise<string> {
  const outfile = path.join(root, "node_modules", ".cache", `gancho-soak-${process.pid}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: ["e2e/soak/model/program.ts"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    target: "node20.19",
    sourcemap: "inline",
    alias: {
      "@": root,
      "next/headers": path.join(root, "e2e/soak/model/next-headers.ts"),
    },
    conditions: ["react-server"],
    external: externalPackages,
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);',
    },
    logLevel: "warning",
  });
  return outfile;
}
