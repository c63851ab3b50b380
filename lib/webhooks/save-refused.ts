import "server-only";
import { db } from "@/lib/db/open";
import type { Fault } from "@/lib/partner-api/fault";
import { noteFault } from "@/lib/partners/overview";
import { ProblemError, type ProblemCode } from "@/lib/problem";
import { Secret } from "@/lib/secrets/secret";
import { loadConfirmed, type Confirmed } from "./confirmed";
import { staleReasonOf } from "./fault-problem";
import { present } from "./present";
import { withProposals } from "./proposals/with-proposals";
import { statesOf } from "./read-back";
import { saveProblem } from "./save-problem";
import { find, recordEnding, recordIntent, type SaveRecord } from "./save-record";
import { intentOf, type SaveRun } from "./save-run";
import { typesOf } from "./types";

/** The service could not be asked, so nothing was sent. */
export async function failedToLook(run: SaveRun, fault: Fault): Promise<never> {
  const confirmed = await loadConfirmed(db(), run.place.connection.id);
  const { requestId } = run.context;
  await noteFault(run.place, { code: fault.code, requestId, epoch: confirmed?.epoch ?? 0 });
  const results = await recordRefused(run, confirmed, fault.code);
  const staleReason = staleReasonOf(fault, requestId);
  const configuration =
    confirmed && (await withProposals(await present(run.place, confirmed, staleReason)));
  throw saveProblem({ outcome: "not_saved", results, configuration, requestId }, fault);
}

/** Somebody else saved since the form was opened, or since it was proposed. */
export async function wasStale(
  run: SaveRun,
  confirmed: Confirmed,
  code: "stale_revision" | "proposal_stale",
): Promise<never> {
  await recordRefused(run, confirmed, code);
  const configuration = await withProposals(await present(run.place, confirmed));
  throw new ProblemError(code, { applied: "no", extra: { configuration } });
}

/** This process stood still until its lock was over; whoever came next has recorded that nothing was sent. */
export function overtaken({ wishes, requestId }: SaveRecord): ProblemError {
  const results = wishes.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  return saveProblem({ outcome: "not_saved", results, configuration: null, requestId }, null);
}

/** An attempt of which nothing was sent, recorded as such. What "keep" would have kept is what was last confirmed. */
export async function recordRefused(
  run: SaveRun,
  confirmed: Confirmed | null,
  reason: ProblemCode,
) {
  const before = confirmed ? statesOf(confirmed.snapshot) : [];
  const value = run.request.authorization;
  const typed = value.action === "replace" ? new Secret(value.value) : null;
  const intent = await intentOf(
    run,
    typesOf(run.request.type).map((type) => ({ type, url: run.request.url, authorization: typed })),
    before,
  );
  if (value.action === "keep")
    for (const { type, state } of intent.wishes)
      if (state) state.fingerprint = find(before, type)?.fingerprint ?? null;
  const record = await recordIntent(intent);
  const verdicts = record.wishes.map(({ type }) => ({ type, outcome: "not_saved" as const }));
  await db()
    .transaction()
    .execute((trx) => recordEnding(trx, record, { verdicts, reason }));
  return verdicts;
}
