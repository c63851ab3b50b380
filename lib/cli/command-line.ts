import { parseArgs } from "node:util";
import { commands } from "@/lib/cli/commands/all";
import { UsageError, type Command, type Given } from "@/lib/cli/commands/command";
import { linesOf } from "./failure";
import { loadEnvFile } from "./root";

/**
 * Runs the named command, and returns the exit code: 0 on success, 1 on failure, 2 on misuse; a command may define
 * others in its help.
 */
export async function runCommandLine([name = "--help", ...words]: string[]): Promise<number> {
  if (name === "--help" || name === "-h" || name === "help") {
    console.log(overview());
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!entry) {
    console.error(`gancho: there is no command ${name}\n\n${overview()}`);
    return 2;
  }
  const command = await entry.load();
  try {
    return await call(command, words);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`gancho ${name}: ${error.message}\n\n${command.help}`);
      return 2;
    }
    for (const line of linesOf(error)) console.error(`gancho ${name}: ${line}`);
    return Number(process.exitCode ?? 1);
  }
}

async function call(command: Command, words: string[]): Promise<number> {
  const given = parse(command, words);
  if (given.values["help"] === true) {
    console.log(command.help);
    return 0;
  }
  loadEnvFile();
  await command.run(given);
  return Number(process.exitCode ?? 0);
}

/** Throws `UsageError`. */
function parse({ options, positionals: atMost }: Command, words: string[]): Given {
  try {
    const { values, positionals, tokens } = parseArgs({
      args: words,
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
      tokens: true,
    });
    const named = tokens.flatMap((token) => (token.kind === "option" ? token.name : []));
    // parseArgs would use the last one, and say nothing of the others.
    const twice = named.find((name, at) => !options[name]?.multiple && named.indexOf(name) < at);
    if (twice !== undefined) throw new UsageError(`--${twice} is there more than once`);
    const surplus = positionals[atMost];
    if (surplus !== undefined) throw new UsageError(`unexpected argument ${surplus}`);
    return { values: values as Given["values"], positionals };
  } catch (error) {
    // parseArgs explains an unknown option in its first sentence.
    if (error instanceof TypeError)
      throw new UsageError(error.message.split(". ")[0] ?? error.message);
    throw error;
  }
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((command) => command.length));
  return [
    "Usage: gancho <command> [options]",
    "",
    ...Object.entries(commands).map(
      ([command, { summary }]) => `  ${command.padEnd(width)}  ${summary}`,
    ),
    "",
    "In a checkout, gancho is npm run gancho --; installed, it is deploy/gancho, which also has start and sandbox.",
    "Each command explains itself with --help. Configuration comes from the environment or from .env.",
  ].join("\n");
}
