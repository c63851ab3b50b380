import "server-only";
import { fieldErrorTitles } from "@/lib/platform/http/model/field-errors";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { type RemoteState } from "@/lib/webhooks/server/observe/remote-state";
import type { SaveEnd, SaveRun } from "./hold";
import { recordRefused } from "./intent";
import { storeBefore, type LookBefore } from "./look-before";
import { keepRefusal } from "./plan";

/** Saves of which nothing is sent, because of what is registered. */

/** The configuration has changed since the form was opened, or since the proposal was made. */
export async function refuseOutdated(
  run: SaveRun,
  before: LookBefore,
  code: "stale_revision" | "proposal_stale",
): Promise<SaveEnd> {
  const last = await storeBefore(run, before);
  await recordRefused(run, before.versions, code);
  return { kind: "outdated", code, last };
}

/** Throws where the service's answer is ambiguous, or the rules for keeping a value forbid the change. */
export async function requireAllowed(run: SaveRun, before: LookBefore): Promise<void> {
  const { request, approval, access } = run;
  const isAdmin = approval ? approval.authorIsAdmin : access.role === "admin";
  const unclear = whyUnclear(request, before.remote);
  const keeping = keepRefusal(request, before, isAdmin);
  if (!unclear && !keeping) return;
  await storeBefore(run, before);
  if (unclear)
    throw new ProblemError("confirmation_required", { applied: "no", extra: { reason: unclear } });
  if (!keeping) return;
  // Recorded, since the form never sends this: somebody tried to send the value to another receiver.
  const isMove = keeping.code === "retype_for_new_origin";
  await recordRefused(run, before.versions, isMove ? "forbidden" : "invalid_fields");
  if (approval)
    throw new ProblemError(isMove ? "author_may_not" : "proposal_stale", { applied: "no" });
  const errors = [{ ...keeping, message: fieldErrorTitles[keeping.code] }];
  throw new ProblemError("invalid_fields", { applied: "no", errors });
}

/** Why the service's answer is ambiguous, unless the person confirmed the write. */
function whyUnclear(request: SaveRun["request"], remote: RemoteState) {
  if (request.confirm) return null;
  if (remote.unclear) return "unclear_not_found";
  const isDuplicate = Object.values(remote.webhooks).some((webhook) => webhook.duplicate);
  return isDuplicate ? "duplicate" : null;
}
