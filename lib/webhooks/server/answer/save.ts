import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { fieldRefused, ProblemError } from "@/lib/platform/http/model/problem";
import { isProblemCode, type ProblemCode } from "@/lib/platform/http/model/problem-code";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { Configuration, SaveResult, WaitingResult } from "@/lib/webhooks/model/configuration";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  holdingConnection,
  type Held,
  type SaveEnd,
  type SaveProgress,
} from "@/lib/webhooks/server/save/hold";
import { saveApproved, saveAsked } from "@/lib/webhooks/server/save/save";
import { randomUUID } from "node:crypto";
import { present, problemInitOf, staleReasonOf } from "./configuration";
import { isRecorded, repeatedAnswer, resultOf, showProgress } from "./operation";

type Answer = SaveResult | WaitingResult;

/**
 * Saves at the payment service, or reports how far that got. Returns `saved`, `unchanged`, `accepted`, `partly` and
 * `waiting`; throws every other outcome as a problem with the same members. Also throws `stale_revision`,
 * `confirmation_required` and `proposal_pending` (409), `invalid_fields` (422), and faults of the service. Repeats the
 * answer to a submission that was received before.
 */
export async function saveConfiguration(
  access: PartnerAccess<"webhooks.write">,
  environmentName: string,
  request: SaveRequest,
  context: RequestContext,
): Promise<Answer> {
  if (isDashboardAddress(request.url) && env().productionEnvironments.has(environmentName))
    throw fieldRefused("url", "dashboard_address");
  const changeId = request.operation ?? randomUUID();
  const run = { access, request, changeId, context };
  return answering(access, environmentName, { changeId, isApproval: false }, context, {
    earlier: (held) =>
      held.hasChange
        ? repeatedAnswer(held.connectionRef, changeId, request, access.viewer.id)
        : Promise.resolve(null),
    steps: (held) => saveAsked({ ...run, ...held }),
  });
}

/**
 * Approves a proposal and saves it in the same steps; the approver is the one who saves. Throws what `decideProposal`
 * throws.
 */
export async function approve(
  access: PartnerAccess<"webhooks.approve">,
  environmentName: string,
  changeId: string,
  context: RequestContext,
): Promise<Answer> {
  return answering(access, environmentName, { changeId, isApproval: true }, context, {
    earlier: () => Promise.resolve(null),
    steps: (held) => saveApproved(held, { access, changeId, context }),
  });
}

/** Both receive for test environments, and nothing there takes notifications for good. */
function isDashboardAddress(address: string): boolean {
  const { captureAt, url } = env();
  // A name with a dot at its end is the same name.
  const hosts = [url.host, captureAt?.host];
  return URL.canParse(address) && hosts.includes(new URL(address).host.replace(/\.(?=:|$)/, ""));
}

async function answering(
  access: PartnerAccess,
  environment: string,
  { changeId, isApproval }: { changeId: string; isApproval: boolean },
  context: RequestContext,
  {
    earlier,
    steps,
  }: {
    /** The answer to the same submission, received before; null where it is new. */
    earlier: (held: Held) => Promise<Answer | null>;
    steps: (held: Held) => Promise<SaveEnd>;
  },
): Promise<Answer> {
  const progress: SaveProgress = {
    step: "preparing",
    mayTakeEffect: false,
    recorded: null,
    givenUp: false,
  };
  const over = showProgress({ partner: access.partner.id, environment, changeId }, progress);
  const ids = { changeId, requestId: context.requestId };
  return holdingConnection<Answer>(access, { environment, changeId }, progress, context, {
    isRecorded: (connectionRef) => isRecorded(connectionRef, changeId, isApproval),
    inShort: (end) => answerTo(end, null, ids),
    work: async (held) => {
      try {
        const repeated = await earlier(held);
        if (repeated) return resultOrThrow(repeated, null);
        const end = await steps(held);
        return answerTo(end, await configurationAt(end, held, context.requestId), ids);
      } finally {
        over();
      }
    },
  }).finally(() => {
    if (!progress.givenUp) over();
  });
}

/** What the last look of a save showed; null where there was none. */
async function configurationAt(
  end: SaveEnd,
  { connectionRef, secondPeople }: Held,
  requestId: string,
): Promise<Configuration | null> {
  if (end.kind === "out_of_time" || !end.last) return null;
  if (end.kind !== "recorded") return present(connectionRef, end.last);
  const { last, saves, fault, unread } = end;
  const isStale = fault !== null && unread;
  return present(
    connectionRef,
    last,
    // As they were under the lock, without which nothing begins to wait.
    { saves, secondPeople },
    isStale ? staleReasonOf(fault, requestId) : undefined,
  );
}

function answerTo(
  end: SaveEnd,
  configuration: Configuration | null,
  { changeId, requestId }: { changeId: string; requestId: string },
): Answer {
  switch (end.kind) {
    case "recorded":
      return resultOrThrow({ ...resultOf(end.save, end.last), configuration }, end.fault);
    case "waiting":
      return {
        outcome: "waiting",
        results: [],
        proposal: end.id,
        configuration,
        requestId,
        operation: changeId,
      };
    case "outdated":
      throw new ProblemError(end.code, { applied: "no", extra: { configuration } });
    case "out_of_time": {
      const outcome = end.mayTakeEffect ? "unclear" : "not_sent";
      throw saveProblem(
        { outcome, results: [], configuration, requestId, operation: changeId },
        null,
      );
    }
  }
}

const answers: ReadonlySet<Answer["outcome"]> = new Set([
  "saved",
  "unchanged",
  "accepted",
  "partly",
  "waiting",
]);

function resultOrThrow(result: Answer, fault: Fault | null): Answer {
  if (answers.has(result.outcome) || result.outcome === "waiting") return result;
  throw saveProblem(result, fault);
}

/** A save that was not accepted, or of which nothing is known: a problem with the members of a save's answer. */
function saveProblem(result: SaveResult, fault: Fault | null): ProblemError {
  const { outcome, results, configuration, operation } = result;
  const init = fault ? problemInitOf(fault) : {};
  // Of several types, one may have been sent.
  const isUnsent =
    results.every((each) => ["not_sent", "unchanged"].includes(each.outcome)) &&
    outcome === "not_sent";
  return new ProblemError(codeOf(result, fault), {
    ...init,
    // Only a save that certainly changed nothing may be retried without looking first.
    retryable: isUnsent && (fault?.retryable ?? true),
    applied: isUnsent ? "no" : "unknown",
    extra: {
      ...init.extra,
      ...(fault && { cause: fault.code }),
      outcome,
      results,
      configuration,
      operation,
    },
  });
}

function codeOf({ outcome, reason, results }: SaveResult, fault: Fault | null): ProblemCode {
  if (results.some((each) => each.outcome === "saved")) return "partly_saved";
  if (outcome !== "not_sent" && outcome !== "refused") return "outcome_unknown";
  return fault?.code ?? (isProblemCode(reason) ? reason : "not_saved");
}
