import type { ParseArgsConfig } from "node:util";

/** The words after the command's name. */
export type Given = {
  values: Record<string, string | boolean | (string | boolean)[] | undefined>;
  positionals: readonly string[];
};

/** One command of `npm run gancho -- <command>`, in a separate file; `all.ts` lists them. */
export type Command = {
  /** The text of `--help`: how to call it, and what each option means. */
  help: string;
  options: NonNullable<ParseArgsConfig["options"]>;
  /** How many words may follow the options. */
  positionals: number;
  /** Throws `CliError` where it cannot go on, and `UsageError` for wrong arguments. */
  run: (given: Given) => Promise<void>;
};

/** The command was not called as its help says. Ends the program with exit code 2. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The value of a required option. Throws `UsageError`. */
export function required(given: Given, option: string): string {
  const value = given.values[option];
  if (typeof value !== "string" || value.trim() === "")
    throw new UsageError(`--${option} is missing`);
  return value.trim();
}
