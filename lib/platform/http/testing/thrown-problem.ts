import { ProblemError } from "@/lib/platform/http/model/problem";

/** The problem that this throws; anything else fails the test. */
export async function thrownProblem(promise: Promise<unknown>): Promise<ProblemError> {
  const thrown = await thrownBy(promise);
  if (thrown instanceof ProblemError) return thrown;
  throw new Error("expected a problem", { cause: thrown });
}

/** Its code; what was thrown, where that is no problem; `none` where nothing was. */
export async function codeOf(promise: Promise<unknown>, none = "nothing"): Promise<string> {
  const thrown = await thrownBy(promise);
  if (thrown === null) return none;
  return thrown instanceof ProblemError ? thrown.code : String(thrown);
}

const thrownBy = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => null,
    (error: unknown) => error,
  );
