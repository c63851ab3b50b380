/** Why the sandbox cannot start, in words for the person who started it: one line a problem, no secrets. */
export class StartupError extends Error {
  override readonly name = "StartupError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(problems.join("\n"), options);
    this.problems = problems;
  }
}
