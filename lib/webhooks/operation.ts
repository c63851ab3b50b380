import "server-only";
import { requirePartner } from "@/lib/access/require";
import { db } from "@/lib/db/open";
import { fieldErrorTitles } from "@/lib/field-errors";
import type { CallOptions } from "@/lib/partner-api/types";
import { ProblemError } from "@/lib/problem";
import type { NoResult, SaveResult, WaitingResult } from "./configuration";
import { loadKnown } from "./confirmed";
import type { Place } from "./look";
import { present } from "./present";
import { placeOf, readPlace } from "./read";
import { operationPattern, type SaveRequest } from "./rules/save-request";
import { isOpen } from "./reconcile";
import { findOperation, type Standing } from "./save-record";
import { canonicalUrl } from "./state";
import { typesOf } from "./types";

/**
 * What became of one press of save, asked by its id: the service is read anew first, which settles what can be settled.
 * Throws the problems of `requirePartner`, `not_found` or `not_connected`.
 */
export async function readOperation(
  partnerId: string,
  environmentName: string,
  operation: string,
  options: CallOptions,
): Promise<SaveResult | WaitingResult | NoResult> {
  const access = await requirePartner(partnerId, "webhooks.read");
  if (!operationPattern.test(operation)) throw new ProblemError("not_found");
  const place = await placeOf(access.partner.id, environmentName);
  const configuration = await readPlace(place, options);
  const answered = await answerOf(place, operation);
  if (answered) return { ...answered, configuration };
  const found = await findOperation(place.connection.id, operation);
  return { outcome: found ? "in_progress" : "none", operation, configuration };
}

/**
 * What was told of an operation that was received before; null where nothing was yet. `again`: the request that came
 * with the same id, which must be for the same thing. Throws `invalid_fields` where it is not.
 */
export async function answerOf(
  place: Place,
  operation: string,
  again?: Pick<SaveRequest, "type" | "url">,
): Promise<SaveResult | WaitingResult | null> {
  const saved = await findOperation(place.connection.id, operation);
  if (saved) {
    if (again) requireSame(again, saved.wishes);
    if (!saved.standing) return again ? underWay(operation, saved.requestId) : null;
    const configuration = again ? await present(place, await loadKnown(db(), place)) : null;
    return resultOf(saved.standing, { configuration, requestId: saved.requestId, operation });
  }
  const proposed = await db()
    .selectFrom("proposals")
    .select("id")
    .where("partner_id", "=", place.partnerId)
    .where("environment", "=", place.environment)
    .where("operation_id", "=", operation)
    .executeTakeFirst();
  if (!proposed) return null;
  const configuration = await present(place, await loadKnown(db(), place));
  const { id: proposal } = proposed;
  return { outcome: "waiting", results: [], proposal, configuration, requestId: "", operation };
}

/** Nobody holds the lock, and nothing was told: a crash left it. */
function underWay(operation: string, requestId: string): SaveResult {
  return { outcome: "unknown", results: [], configuration: null, requestId, operation, open: true };
}

function requireSame(
  { type, url }: Pick<SaveRequest, "type" | "url">,
  wishes: { type: string; state: { callbackUrl: string } | null }[],
): void {
  const types: string[] = typesOf(type);
  const isSame =
    wishes.length === types.length &&
    wishes.every(
      (wish) =>
        types.includes(wish.type) &&
        canonicalUrl(wish.state?.callbackUrl ?? "") === canonicalUrl(url),
    );
  if (isSame) return;
  const code = "operation_reused";
  const errors = [{ path: "operation", code, message: fieldErrorTitles[code] }];
  throw new ProblemError("invalid_fields", { applied: "no", errors });
}

/** As the browser gets it, chosen field by field. */
export function resultOf(
  { outcome, results }: Standing,
  rest: Pick<SaveResult, "configuration" | "requestId" | "operation">,
): SaveResult {
  return {
    outcome,
    results: results.map(({ type, outcome: ofType, authorization }) => ({
      type,
      outcome: ofType,
      ...(authorization && { authorization }),
    })),
    ...rest,
    ...(isOpen(results) && { open: true }),
  };
}
