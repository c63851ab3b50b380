import { CliError } from "./failure";

/** Which of its flags a program was started with. Throws `CliError` for anything else: it would do nothing. */
export function flagsGiven<Flag extends string>(...known: readonly Flag[]): ReadonlySet<Flag> {
  const words = process.argv.slice(2);
  const unknown = words.find((word) => !known.some((flag) => flag === word));
  if (unknown !== undefined) {
    process.exitCode = 2;
    throw new CliError(
      `${unknown} is not known here: ${known.length > 0 ? `give ${known.join(", ")} or nothing` : "give nothing"}; what is set is in .env or the environment`,
    );
  }
  return new Set(known.filter((flag) => words.includes(flag)));
}
