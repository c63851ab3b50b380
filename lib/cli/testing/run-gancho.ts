import { spawn } from "node:child_process";
import { once } from "node:events";
import { programFile } from "@/lib/cli/programs.mjs";
import { root } from "@/lib/cli/root";

type Ran = { code: number | null; out: string; err: string };

/** Runs `npm run gancho -- …` to its end, in an environment with the given variables alone. */
export async function runGancho(
  args: readonly string[],
  env: Record<string, string>,
  input = "",
): Promise<Ran> {
  const child = spawn(process.execPath, [await programFile("gancho"), ...args], {
    cwd: root,
    env: Object.assign({ NODE_ENV: "test" as const, PATH: process.env["PATH"] }, env),
    stdio: ["pipe", "pipe", "pipe"],
  });
  const printed = { out: "", err: "" };
  child.stdout.on("data", (part: Buffer) => (printed.out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (printed.err += part.toString()));
  // A command that reads nothing may have ended before it is written.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...printed };
}
