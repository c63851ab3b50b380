import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import type { SaveAnswer } from "./gancho";
import type { Report } from "./report";

/** What the service held of a partner: the address of each registered type. */
export type Held = ReadonlyMap<string, string>;

export const bothTypes = ["pix_in", "pix_out"] as const;

/** No answer may take longer, milliseconds. */
const maxMs = 10_500;

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

/** What is said of one type of a save. */
export type Reported = NonNullable<SaveAnswer["result"]>["results"][number];

/** An answer to a write that says that nothing was changed. Any other may come from something in between. */
export function isRefusal(status: number | null): boolean {
  return status !== null && [400, 401, 403, 404, 422].includes(status);
}

/** What the sandbox holds after a save that no other follows: it shows at once what it applied, as it is. */
export type Outcome = { url: string; after: Held };

/** Whether the answer to a save is true. */
export function checkAnswer(
  report: Report,
  what: string,
  answer: SaveAnswer,
  outcome: Outcome,
): void {
  checkAnswered(report, what, answer);
  const { result, applied, code, status } = answer;
  const said = `${what}, answered ${code ?? status}`;
  checkReported(report, said, result?.results ?? [], outcome);
  if (applied === "no")
    report.check(
      bothTypes.every((type) => outcome.after.get(type) !== outcome.url),
      () => `${said}: not sent, and the service holds it`,
    );
  if (code === null)
    report.check(
      ["saved", "unchanged", "accepted", "partly"].includes(result?.outcome ?? "none"),
      () => `${what}: ${status} without saying that it is shown or accepted`,
    );
}

/** `not_sent`, `saved` and `unchanged` say something of what the service holds; the others only of what was seen. */
export function checkReported(
  report: Report,
  what: string,
  reported: readonly Pick<Reported, "type" | "outcome" | "shownUntil">[],
  { url, after }: Outcome,
): void {
  for (const { type, outcome, shownUntil } of reported) {
    const isHeld = after.get(type) === url;
    const mustBeHeld = ["saved", "unchanged", "partly"].includes(outcome) && !shownUntil;
    report.check(
      mustBeHeld ? isHeld : outcome !== "not_sent" || !isHeld,
      () => `${what}: said ${outcome} of ${type}, the service holds ${after.get(type)}`,
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
