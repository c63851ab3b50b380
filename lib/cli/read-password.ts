import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { CliError } from "./failure";

/**
 * Reads a new password: twice, without echo, from a terminal; else the first line of standard input. Never from an
 * argument, which other people on the machine can read. Throws `CliError` where there is none or the two differ.
 */
export async function readNewPassword(): Promise<string> {
  if (!process.stdin.isTTY) {
    const [line = ""] = (await text(process.stdin)).split(/\r?\n/);
    if (line === "") throw new CliError("standard input has no password in its first line");
    return line;
  }
  const first = await prompt("Password: ");
  if ((await prompt("The same again: ")) !== first) throw new CliError("the two passwords differ");
  return first;
}

async function prompt(question: string): Promise<string> {
  // Receives the echo of the typed characters and shows none of it.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output, terminal: true });
  // Only now: before, the terminal would have shown typed characters.
  process.stderr.write(question);
  try {
    return await new Promise((resolve, reject) => {
      terminal.once("SIGINT", () => reject(new CliError("no password was set")));
      terminal.once("close", () => reject(new CliError("no password was typed")));
      terminal.question("", resolve);
    });
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
