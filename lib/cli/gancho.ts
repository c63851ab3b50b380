import { parseArgs } from "node:util";
import { commands } from "./commands/all";
import { Misuse, type Command, type Given } from "./commands/command";
import { runProgram } from "./failure";
import { loadEnvFile } from "./root";

/** `npm run gancho -- <command>`: what an operator does at the terminal. Exit code 1: it failed; 2: it was misused. */
const [name = "--help", ...words] = process.argv.slice(2);
const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;

if (name === "--help" || name === "-h" || name === "help") {
  console.log(overview());
} else if (!entry) {
  console.error(`gancho: there is no command ${name}\n\n${overview()}`);
  process.exitCode = 2;
} else {
  await runProgram(`gancho ${name}`, async () => call(await entry.load()));
}

async function call(command: Command): Promise<void> {
  try {
    const given = parse(command);
    if (given.values["help"] === true) {
      console.log(command.help);
      return;
    }
    loadEnvFile();
    await command.run(given);
  } catch (error) {
    if (!(error instanceof Misuse)) throw error;
    console.error(`gancho ${name}: ${error.message}\n\n${command.help}`);
    process.exitCode = 2;
  }
}

/** Throws `Misuse`. */
function parse({ options, positionals: atMost }: Command): Given {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true,
    });
    const surplus = positionals[atMost];
    if (surplus !== undefined) throw new Misuse(`${surplus} is one word too many`);
    return { values: valuesOf(values), positionals };
  } catch (error) {
    // What it does not know, it explains in its first sentence.
    if (error instanceof TypeError) throw new Misuse(error.message.split(". ")[0] ?? error.message);
    throw error;
  }
}

function valuesOf(values: Record<string, unknown>): Given["values"] {
  return Object.fromEntries(
    Object.entries(values).map(([option, value]) => [
      option,
      typeof value === "string" || typeof value === "boolean" ? value : undefined,
    ]),
  );
}

function overview(): string {
  const width = Math.max(...Object.keys(commands).map((command) => command.length));
  return [
    "Usage: npm run gancho -- <command> [options]",
    "",
    ...Object.entries(commands).map(
      ([command, { summary }]) => `  ${command.padEnd(width)}  ${summary}`,
    ),
    "",
    "Each command explains itself with --help. Configuration comes from the environment or from .env.",
  ].join("\n");
}
