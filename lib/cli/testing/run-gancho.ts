import { spawn } from "node:child_process";
import { once } from "node:events";
import { runCommandLine } from "@/lib/cli/command-line";
import { root } from "@/lib/cli/root";
import { forgetProcessWide, setEnvironment } from "@/lib/platform/runtime/testing/new-process";
import { vi } from "vitest";
import { compiledProgram } from "./compiled-program";

type Ran = { code: number | null; out: string; err: string };

/** What every command needs, as the test's own process has it. */
const installation = ["DATABASE_URL", "GANCHO_DATA_DIR", "AUTH_SECRET", "ENCRYPTION_KEYS"] as const;

/** Runs `npm run gancho -- …` in this process, as if in a new one of this installation with these variables. */
export async function runGancho(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>> = {},
): Promise<Ran> {
  const printed = { out: "", err: "" };
  const line = (to: keyof typeof printed) => (text: unknown) =>
    void (printed[to] += `${String(text)}\n`);
  const spies = [
    vi.spyOn(console, "log").mockImplementation(line("out")),
    vi.spyOn(console, "error").mockImplementation(line("err")),
    vi.spyOn(console, "warn").mockImplementation(line("err")),
    vi.spyOn(process.stdout, "write").mockImplementation((text: unknown, done: unknown) => {
      printed.out += String(text);
      if (typeof done === "function") done();
      return true;
    }),
  ];
  const names = ["PATH", ...installation];
  const own = Object.fromEntries(names.map((name) => [name, process.env[name]]));
  const putBack = [setEnvironment({ NODE_ENV: "test", ...own, ...env }), forgetProcessWide()];
  try {
    return { code: await runCommandLine([...args]), ...printed };
  } finally {
    process.exitCode = undefined;
    for (const undo of putBack) undo();
    for (const spy of spies) spy.mockRestore();
  }
}

/** The same as a program. */
export const startGancho = async (
  args: readonly string[],
  env: Record<string, string>,
  input = "",
) => runNode([...(await compiledProgram("gancho")), ...args], env, input);

/** Runs Node with these arguments to its end, in the project's folder, with the given variables alone. */
export async function runNode(
  args: readonly string[],
  env: Record<string, string> = {},
  input = "",
): Promise<Ran> {
  const child = spawn(process.execPath, args, {
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
