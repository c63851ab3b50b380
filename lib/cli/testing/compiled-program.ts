import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { inject } from "vitest";
import { compilePrograms } from "@/lib/cli/compile-programs";
import { root } from "@/lib/cli/root";

let compiling: Promise<void> | undefined;

/** Node's arguments for a program compiled as for production: from its source, each start takes seconds of a processor. */
export async function compiledProgram(name: "gancho" | "sandbox"): Promise<string[]> {
  // In the project, where the programs find packages. The run's other processes use it, too.
  const folder = path.join(root, "node_modules", ".cache", path.basename(inject("folder")));
  if (!existsSync(folder)) await (compiling ??= compileInto(folder));
  return ["--conditions=react-server", path.join(folder, `${name}.mjs`)];
}

async function compileInto(folder: string): Promise<void> {
  mkdirSync(path.dirname(folder), { recursive: true });
  await compilePrograms(folder).catch((error: unknown) => {
    // Another process was first.
    if (!existsSync(folder)) throw error;
  });
}
