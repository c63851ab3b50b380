import { EnvironmentError } from "@/lib/platform/env/env";

/** Why a program cannot go on, in words for the person who started it: one line a problem, no secrets. */
export class CliError extends Error {
  override readonly name: string = "CliError";
  readonly lines: readonly string[];
  constructor(...lines: string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/** The configuration is wrong: restarting does not help until somebody changes it. */
export class Misconfigured extends CliError {
  override readonly name: string = "Misconfigured";
}

/** EX_CONFIG of sysexits.h; deploy/gancho.service does not start the program again after it. */
const misconfigured = 78;

/**
 * Runs a program. Prints why it cannot go on in plain lines on standard error, with exit code 78 where the
 * configuration is wrong; else with 1, or the one that the program has set before.
 */
export async function runProgram(what: string, program: () => Promise<void>): Promise<void> {
  try {
    await program();
  } catch (error) {
    // Not by the console, which later writes to the log.
    for (const line of linesOf(error)) process.stderr.write(`${what}: ${line}\n`);
    const ofConfiguration = error instanceof EnvironmentError || error instanceof Misconfigured;
    process.exit(ofConfiguration ? misconfigured : (process.exitCode ?? 1));
  }
}

/** The lines to print for the person who started the program; an unexpected error with its stack. */
export function linesOf(error: unknown): readonly (string | undefined)[] {
  if (error instanceof CliError) return error.lines;
  if (error instanceof EnvironmentError) return error.problems;
  return [error instanceof Error ? error.stack : String(error)];
}
