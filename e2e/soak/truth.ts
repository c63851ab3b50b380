import type { FaultyUpstream } from "../faulty-upstream/server";
import type { SaveAnswer } from "./gancho";
import type { Report } from "./report";

/** What the service held of a partner: the address of each registered type. */
export type Held = ReadonlyMap<string, string>;

export const bothTypes = ["pix_in", "pix_out"] as const;

/** No answer may take longer, milliseconds. */
const longestMs = 10_500;

/** What holds of every answer, whatever the service does. */
export function checkAnswered(
  report: Report,
  what: string,
  { code, ms, secrets }: Pick<SaveAnswer, "code" | "ms" | "secrets">,
): void {
  report.check(code !== "internal_error", () => `${what}: unclassified`);
  report.check(secrets.length === 0, () => `${what}: ${JSON.stringify(secrets)} in the answer`);
  report.check(ms <= longestMs, () => `${what}: answered after ${Math.round(ms)} ms`);
}

/** Whether what was said of a save is what the service holds, once everything under way there has ended. */
export function checkStatement(
  report: Report,
  what: string,
  answer: SaveAnswer,
  wish: string,
  { before, after }: { before: Held; after: Held },
): void {
  const said = answer.result
    ? answer.result.results
    : // Refused as a whole: nothing was sent, if that is what it says.
      bothTypes.map((type) => ({
        type,
        outcome: answer.applied === "no" ? ("not_saved" as const) : ("unknown" as const),
      }));
  for (const { type, outcome } of said) {
    const is = after.get(type);
    const told = `${what}: said ${outcome} of ${type} (${answer.code ?? answer.status}), the service holds ${is}`;
    if (outcome === "not_saved") report.check(is === before.get(type), () => `false ${told}`);
    else if (outcome !== "unknown") report.check(is === wish, () => `false ${told}`);
  }
  if (answer.code === null)
    report.check(
      answer.result?.outcome === "saved" || answer.result?.outcome === "unchanged",
      () => `${what}: 200 without saying that it is saved`,
    );
}

/** Writes that the service applied since the plan was set. */
export function appliedWrites(upstream: FaultyUpstream): number {
  return upstream
    .received()
    .filter(({ kind, applied }) => kind === "register" && (applied === 200 || applied === 201))
    .length;
}
