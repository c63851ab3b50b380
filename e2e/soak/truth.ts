import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import type { SaveAnswer } from "./gancho";
import type { Report } from "./report";

/** What the service held of a partner: the address of each registered type. */
export type Held = ReadonlyMap<string, string>;

export const bothTypes = ["pix_in", "pix_out"] as const;

/** No answer may take longer, milliseconds. */
export const maxMs = 10_500;

/** Checks what must hold for every answer, whatever the service does. */
export function checkAnswered(
  report: Report,
  what: string,
  { code, ms, secrets }: Pick<SaveAnswer, "code" | "ms" | "secrets">,
): void {
  report.check(code !== "internal_error", () => `${what}: unclassified`);
  report.check(secrets.length === 0, () => `${what}: ${JSON.stringify(secrets)} in the answer`);
  report.check(ms <= maxMs, () => `${what}: answered after ${Math.round(ms)} ms`);
}

/** The report on one type of a save. */
export type Reported = Pick<
  NonNullable<SaveAnswer["result"]>["results"][number],
  "type" | "outcome" | "authorization"
>;

/** What one save did to one type, known to the simulated service. */
export type Truth = {
  /** It took effect at some time. */
  taken: boolean;
  /** The address was in force at some time since the save was pressed, whoever set it. */
  addressed: boolean;
  /** The same of the address together with the value that was typed, if one was. */
  asAsked: boolean;
  /** What it set is in force now, and can be told from what another client set. */
  isNow: boolean;
  /** What it set differs from what had been in force. */
  changed: boolean;
  /** Another client overwrote it. */
  undone: boolean;
  /** The write was answered by a 2xx. */
  acknowledged: boolean;
  /** The answer to the write was one of the contract's refusals, and the service may have applied it nevertheless. */
  refused: boolean;
};

/** An answer to a write that says that nothing was changed. Any other may come from something in between. */
export function isRefusal(status: number | null): boolean {
  return status !== null && [400, 401, 403, 404, 422].includes(status);
}

/** Whether the report is permitted. `isLast`: no report followed. docs/decisions/what-proves-a-save.md */
export function isTrue(
  { outcome, authorization }: Reported,
  truth: Truth,
  isLast: boolean,
): boolean {
  if (authorization === "not_shown" && !truth.addressed) return false;
  switch (outcome) {
    case "created":
    case "overwritten":
    case "unchanged":
      return truth.asAsked;
    case "accepted":
      return truth.acknowledged;
    case "not_saved":
      // Nobody can know that a service applied what it refused, until a read shows it.
      return truth.refused ? !isLast || !truth.isNow || !truth.changed : !truth.taken;
    case "not_applied":
      // Gancho did not see it; another client may have restored the old state before the next read. Or the service took
      // the address and kept a value that was to go.
      if (!truth.taken || !truth.changed || !truth.asAsked) return true;
      return truth.undone && !truth.isNow;
    case "overtaken":
      // Nobody can see a write that changed nothing.
      return !isLast || !truth.isNow || !truth.changed;
    case "unknown":
      return true;
  }
}

/** What the sandbox holds after a save that no other follows. `refused`: see `Truth`. */
export type Outcome = { url: string; after: Held; refused: boolean };

/** Whether the answer to a save is true. An open outcome may be corrected later: `checkEnds` checks that. */
export function checkAnswer(
  report: Report,
  what: string,
  answer: SaveAnswer,
  outcome: Outcome,
): void {
  checkAnswered(report, what, answer);
  const { result, applied, code, status } = answer;
  const reported: readonly Reported[] =
    result && result.results.length > 0
      ? result.results
      : bothTypes.map((type) => ({ type, outcome: applied === "no" ? "not_saved" : "unknown" }));
  checkReported(report, `${what}, answered ${code ?? status}`, reported, outcome, !result?.open);
  if (code === null)
    report.check(
      ["saved", "unchanged", "accepted"].includes(result?.outcome ?? "none"),
      () => `${what}: ${status} without saying that it is saved or accepted`,
    );
}

export function checkReported(
  report: Report,
  what: string,
  reported: readonly Reported[],
  { url, after, refused }: Outcome,
  isLast: boolean,
): void {
  for (const each of reported) {
    const isNow = after.get(each.type) === url;
    const truth = {
      taken: isNow,
      addressed: isNow,
      asAsked: isNow,
      isNow,
      changed: true,
      undone: false,
      acknowledged: true,
      refused,
    };
    report.check(
      isTrue(each, truth, isLast),
      () =>
        `${what}: said ${each.outcome} of ${each.type}, the service holds ${after.get(each.type)}`,
    );
  }
}

/** Writes that the service applied since the plan was set. */
export function appliedWrites(upstream: FaultyUpstream): number {
  return upstream
    .received()
    .filter(({ kind, applied }) => kind === "register" && (applied === 200 || applied === 201))
    .length;
}
