import "server-only";
import { verdictOfReplaced } from "@/lib/endpoint-check/model/verdict";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import type { CheckRequest } from "@/lib/endpoint-check/model/request";
import { actorOf, recordHistory } from "@/lib/history/server/record/record";
import { may } from "@/lib/platform/access/model/roles";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { EgressRules } from "@/lib/platform/egress/egress";
import { egressRules } from "@/lib/platform/egress/rules";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { fieldRefused } from "@/lib/platform/http/model/refusals";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { requireRoom } from "@/lib/platform/limits/limits";
import { Secret } from "@/lib/platform/runtime/secret";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { whyRetype, type Written } from "@/lib/webhooks/server/read/keepable";
import { loadLastKnown } from "@/lib/webhooks/server/read/last-known";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import {
  fetchRemoteState,
  type ConnectionRef,
  type RemoteWebhook,
  versionOf,
} from "@/lib/webhooks/server/read/remote-state";
import { problemInitOf } from "@/lib/webhooks/server/save/fault-problem";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { kindOfReplaced } from "./replaced";
import { consumeHostTurn } from "./host-room";
import { runCheck, type Subject } from "./run";
import { storeCheck } from "./stored";

type Access = PartnerAccess<"endpoints.check">;

/** `fingerprint`: whole, of the value that is registered there; null where none was seen. */
type Checked = Subject & { fingerprint: string | null };

/**
 * Sends Gancho's own messages to an address and reports the results. A failure of theirs is an answer, not a problem.
 * Runs once for each request, and is never retried. Throws `endpoint_checks_off`, `forbidden`, `not_found`,
 * `not_connected`, `too_many_requests`, `nothing_registered`, or the service's fault; nothing was sent to the address
 * then.
 */
export async function checkEndpoint(
  access: Access,
  environment: string,
  request: CheckRequest,
  context: RequestContext,
  rulesOf: () => Promise<EgressRules> = egressRules,
): Promise<EndpointCheck> {
  if (env().endpointChecks === "off") throw new ProblemError("endpoint_checks_off");
  const { type, typed } = request;
  if (typed && request.replaced !== undefined) throw fieldRefused("replaced", "not_offered");
  const replaced = request.replaced === undefined ? null : new Secret(request.replaced);
  // A person who may not save an address may check neither an unregistered one nor a value of their own.
  if ((typed || replaced) && !may(access.role, "webhooks.write"))
    throw new ProblemError("forbidden");
  const connectionRef = await requireConnectionRef(access, environment);
  await takeTurn(access);
  if (replaced) await takeGuess(access);

  const checked = typed
    ? typedSubject(typed)
    : await registeredSubject(access, connectionRef, type, context, replaced);
  await consumeHostTurn(checked.url, access.partner.id, typed === undefined);
  // Waiting took a while, in which the person may have lost the role.
  await requirePartner(connectionRef.partnerId, "endpoints.check");

  const at = Date.now();
  const findings = replaced
    ? await runCheck(type, checked, await rulesOf(), verdictOfReplaced)
    : await runCheck(type, checked, await rulesOf());
  const kind =
    replaced && (await kindOfReplaced(connectionRef, type, replaced, checked.fingerprint));
  const { fingerprint } = checked;
  const result = {
    type,
    url: checked.url,
    typed: typed !== undefined,
    ...(kind && { replaced: kind }),
    ...findings,
    by: access.viewer.name,
    at: new Date(at).toISOString(),
    requestId: context.requestId,
  };
  await db()
    .transaction()
    .execute(async (trx) => {
      // What support finds without a value, and what an old value meets, says less than the stored check.
      if (!typed && !replaced && access.role !== "support")
        await storeCheck(trx, connectionRef, { checkedAt: at, fingerprint, result });
      await recordHistory(trx, {
        partnerId: connectionRef.partnerId,
        environment: connectionRef.environment,
        kind: "endpoint_checked",
        types: [type],
        actor: actorOf(access.viewer, context),
        requestId: context.requestId,
        outcome: findings.verdict,
        detail: {
          url: checked.url,
          typed: result.typed,
          sent: findings.with === null ? null : typed || replaced ? "typed" : "registered",
          ...(kind && { replaced: kind }),
        },
      });
    });
  const show = await shownFingerprints(db(), connectionRef.partnerId);
  const shown = fingerprint && show(connectionRef.environment, fingerprint);
  return { ...result, fingerprint: shown };
}

function typedSubject({ url, authorization }: NonNullable<CheckRequest["typed"]>): Checked {
  return authorization === undefined
    ? { url, value: null, withheld: "typed", fingerprint: null }
    : { url, value: new Secret(authorization), withheld: null, fingerprint: null };
}

/**
 * The address, with the value that the service holds for it: both from one answer of the service, read now. So the
 * value goes only to the address that it is registered with. `replaced` goes there in its place, and only there: the
 * request cannot name another address for it.
 */
async function registeredSubject(
  { role }: Access,
  connectionRef: ConnectionRef,
  type: WebhookType,
  { requestId }: RequestContext,
  replaced: Secret | null,
): Promise<Checked> {
  const known = await loadLastKnown(db(), connectionRef);
  const fetched = await fetchRemoteState(connectionRef, known, { requestId });
  if (!fetched.ok) throw new ProblemError(fetched.fault.code, problemInitOf(fetched.fault));
  const webhook = fetched.remote.webhooks[type];
  if (!webhook) throw new ProblemError("nothing_registered");
  const { callbackUrl: url } = webhook;
  const fingerprint = versionOf(webhook)?.fingerprint ?? null;
  const value = fetched.values[type] ?? null;
  if (replaced) return { url, value: replaced, withheld: null, fingerprint };
  const withheld = reasonToWithhold(role, webhook, known.confirmed?.written?.[type]);
  if (withheld) return { url, value: null, withheld, fingerprint };
  return value
    ? { url, value, withheld: null, fingerprint }
    : { url, value: null, withheld: "not_set", fingerprint };
}

/** A value that is not what Gancho wrote last may be a placeholder, and nobody's; support sends none at all. */
function reasonToWithhold(role: Access["role"], webhook: RemoteWebhook, written?: Written) {
  if (role === "support") return "support";
  switch (whyRetype(webhook, written)) {
    case "conflicting_values":
      return "conflicting_values";
    case "retype_not_shown":
      return "not_shown";
    case "retype_unproven":
    case "retype_other_value":
      return webhook.fingerprint === null ? "not_set" : "not_proven";
    case null:
      return null;
  }
}

const minute = 60;
const hour = 3_600;

/** A person who tries needs a few; a script would make Gancho knock on doors. Throws `too_many_requests`. */
async function takeTurn({ viewer, partner }: Access): Promise<void> {
  await requireRoom([
    { key: `endpoint checks by ${viewer.id} in a minute`, most: 10, seconds: minute },
    { key: `endpoint checks by ${viewer.id} in an hour`, most: 60, seconds: hour },
    { key: `endpoint checks of ${partner.id} in a minute`, most: 20, seconds: minute },
    { key: `endpoint checks of ${partner.id} in an hour`, most: 120, seconds: hour },
  ]);
}

/** The answer says whether such a value is, or was, the registered one. So it has the limit of revealing it. */
async function takeGuess({ viewer, partner }: Access): Promise<void> {
  await requireRoom([
    { key: `replaced values by ${viewer.id} in an hour`, most: 10, seconds: hour },
    { key: `replaced values of ${partner.id} in an hour`, most: 20, seconds: hour },
  ]);
}
