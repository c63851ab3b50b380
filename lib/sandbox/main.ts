import { readConfig } from "./config";
import { StartupError, startSandbox } from "./start";

/** The sandbox as a program: `npm run sandbox`. */
async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (!config.ok) throw new StartupError(config.problems);

  const sandbox = await startSandbox(config.options);
  // A second signal finds no listener and ends the process at once.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void sandbox.close());
  }
  console.log(`Sandbox ready at ${sandbox.url}`);
  // Where the demo has started it.
  process.send?.("ready");
}

try {
  await main();
} catch (error) {
  if (!(error instanceof StartupError)) throw error;
  for (const problem of error.problems) console.error(`Sandbox cannot start: ${problem}`);
  process.exitCode = 1;
}
