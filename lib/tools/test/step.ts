import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";
import { root } from "@/lib/cli/root";

export type Step = {
  name: string;
  /** A program of an installed package, or Node, and its arguments. */
  command: readonly [program: string, ...args: string[]];
  env?: Record<string, string>;
};

/** Runs one step with its output on ours. */
export async function runStep({
  command,
  env,
}: Step): Promise<{ passed: boolean; seconds: number }> {
  const started = performance.now();
  const [program, ...args] = command;
  const bin = join(root, "node_modules", ".bin");
  const child = spawn(program, args, {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: "1",
      PATH: `${bin}${delimiter}${process.env["PATH"] ?? ""}`,
      ...env,
    },
  });
  const [code] = (await once(child, "exit")) as [number | null];
  return { passed: code === 0, seconds: Math.round((performance.now() - started) / 1_000) };
}
