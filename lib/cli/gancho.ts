import { runCommandLine } from "./command-line";

/** `npm run gancho -- <command>`: what an operator does at the terminal. */
process.exit(await runCommandLine(process.argv.slice(2)));
