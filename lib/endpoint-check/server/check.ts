import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
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
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { enforceLimits, groupOf } from "@/lib/platform/limits/limits";
import { Secret } from "@/lib/platform/runtime/secret";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import { problemInitOf } from "@/lib/webhooks/server/answer/configuration";
import { isSame } from "@/lib/webhooks/server/observe/look";
import type { Retype } from "@/lib/webhooks/model/configuration";
import { readNow, requireConnectionRef } from "@/lib/webhooks/server/observe/reading";
import {
  fingerprintOrNull,
  type ConnectionRef,
  type RemoteWebhook,
  versionOf,
} from "@/lib/webhooks/server/observe/remote-state";
import { whyRetype } from "@/lib/webhooks/server/observe/retype";
import { stateOf } from "@/lib/webhooks/server/observe/said";
import type { SaveRecord } from "@/lib/webhooks/server/observe/save-record";
import { explaining } from "@/lib/webhooks/server/observe/saves";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { runCheck, type Subject } from "./run";
import { storeCheck } from "./stored";
import { createHash } from "node:crypto";

type Access = PartnerAccess<"endpoints.check">;

/** `fingerprint`: the full one of the registered or typed value; null where none was seen. */
type Checked = Subject & { fingerprint: string | null };

type Registered = Checked & {
  /** It is the settled state, no difference is open, and every save of the type is shown. */
  isSettled: boolean;
};

/**
 * Sends Gancho's own messages to an address and reports the results. A failing endpoint is a result, not a problem.
 * Never retries. Throws `endpoint_checks_off`, `forbidden`, `not_found`, `not_connected`, `too_many_requests`,
 * `nothing_registered`, `egress_proxy_failed`, or the service's fault; no value was sent to the address then.
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
  // A person who may not save an address may not check one that is not registered.
  if (typed && !may(access.role, "webhooks.write")) throw new ProblemError("forbidden");
  const connectionRef = await requireConnectionRef(access, environment);
  await limitChecks(access);

  const checked = typed
    ? await typedSubject(connectionRef.partnerId, typed)
    : await registeredSubject(connectionRef, type, {
        requestId: context.requestId,
        isSupport: access.role === "support",
      });
  await limitHost(checked.url);
  // The person may have lost the role during the call of the service.
  await requirePartner(connectionRef.partnerId, "endpoints.check");

  const at = databaseTime();
  const about = { partner: access.partner.id, environment: connectionRef.environment, type };
  const findings = await runCheck(about, checked, await rulesOf());
  const { fingerprint } = checked;
  const result = {
    type,
    url: checked.url,
    typed: typed !== undefined,
    ...findings,
    by: access.viewer.name,
    at: new Date(at).toISOString(),
    requestId: context.requestId,
  };
  const since = await db()
    .transaction()
    .execute(async (trx) => {
      const actor = actorOf(access.viewer, context);
      // A check without the value says less than the stored one.
      const isWithout = typed ? fingerprint === null : access.role === "support";
      const stored = isWithout
        ? null
        : await storeCheck(trx, connectionRef, {
            checkedAt: at,
            fingerprint,
            result: { ...result, by: actor.id },
          });
      await recordHistory(trx, {
        partnerId: connectionRef.partnerId,
        environment: connectionRef.environment,
        kind: "endpoint_checked",
        types: [type],
        actor,
        requestId: context.requestId,
        outcome: findings.verdict,
        detail: {
          url: checked.url,
          typed: result.typed,
          sent: findings.with === null ? null : typed ? "typed" : "registered",
        },
      });
      // Of a typed value it would tell whether it is the one that somebody else typed.
      return typed ? at : (stored?.since ?? at);
    });
  const show = await shownFingerprints(db(), connectionRef.partnerId);
  // Only the fingerprint of a value that the service holds is shown.
  const shown = typed ? null : fingerprint && show(connectionRef.environment, fingerprint);
  return { ...result, since: new Date(since).toISOString(), fingerprint: shown };
}

async function typedSubject(
  partnerId: string,
  { url, authorization }: NonNullable<CheckRequest["typed"]>,
): Promise<Checked> {
  if (authorization === undefined)
    return { url, value: null, withheld: "typed", fingerprint: null };
  const value = new Secret(authorization);
  const fingerprint = await fingerprintOrNull(db(), partnerId, value);
  return { url, value, withheld: null, fingerprint };
}

/**
 * The address, with the value that the service holds for it: both from one answer of the service, read now. So the
 * value goes only to the address that it is registered with.
 */
export async function registeredSubject(
  connectionRef: ConnectionRef,
  type: WebhookType,
  { isSupport, ...call }: Pick<CallOptions, "requestId" | "background"> & { isSupport: boolean },
): Promise<Registered> {
  const { last, saves, values, fault } = await readNow(connectionRef, call);
  if (fault) throw new ProblemError(fault.code, problemInitOf(fault));
  const webhook = last?.remote.webhooks[type];
  if (!last || !webhook) throw new ProblemError("nothing_registered");
  const observed = last.types[type];
  const version = versionOf(webhook);
  const isSettled =
    observed.settled !== undefined &&
    isSame(observed.settled, version) &&
    observed.difference === null &&
    !isAwaited(saves ?? [], type);
  const found = {
    url: webhook.callbackUrl,
    fingerprint: version?.conflict ? null : (version?.fingerprint ?? null),
    isSettled,
  };
  const value = values?.[type] ?? null;
  const reason = isSupport
    ? "support"
    : reasonToWithhold(whyRetype(type, last), webhook, isSettled);
  const withheld = reason ?? (value ? null : values ? "not_set" : "not_proven");
  return withheld === null && value
    ? { ...found, value, withheld: null }
    : { ...found, value: null, withheld: withheld ?? "not_set" };
}

/** Whether a save of this type may still take effect: no look has shown it. */
function isAwaited(saves: readonly SaveRecord[], type: WebhookType): boolean {
  return saves.some((save) =>
    explaining(save).some((each) => each.type === type && stateOf(each) !== "saved"),
  );
}

/** A value other than the one that Gancho sent last may be a placeholder. Support sends none at all. */
function reasonToWithhold(
  retype: Retype | null,
  { fingerprint }: RemoteWebhook,
  isSettled: boolean,
) {
  switch (retype) {
    case "conflicting_values":
      return "conflicting_values";
    case "retype_not_shown":
      return "not_shown";
    case "retype_unproven":
    case "retype_other_value":
      return fingerprint === null ? "not_set" : "not_proven";
    case null:
      return isSettled || fingerprint === null ? null : "not_proven";
  }
}

const minute = 60;
const hour = 3_600;

/** A person needs a few; a script could use Gancho to scan hosts. Throws `too_many_requests`. */
async function limitChecks({ viewer, partner, role }: Access): Promise<void> {
  const group = groupOf({ partner, role });
  await enforceLimits([
    { key: `endpoint checks by ${viewer.id} in a minute`, most: 10, seconds: minute },
    { key: `endpoint checks by ${viewer.id} in an hour`, most: 60, seconds: hour },
    { key: `endpoint checks at ${group} in a minute`, most: 20, seconds: minute },
    { key: `endpoint checks at ${group} in an hour`, most: 120, seconds: hour },
  ]);
}

/** For all partners together: nobody can use Gancho to flood another party's server. Throws `too_many_requests`. */
export async function limitHost(url: string): Promise<void> {
  const name = URL.canParse(url) ? new URL(url).hostname : url;
  // A key has room for 255 characters, and a name alone may be as long.
  const host = createHash("sha256").update(name).digest("hex");
  await enforceLimits([
    { key: `endpoint checks at ${host} in a minute`, most: 20, seconds: minute },
    { key: `endpoint checks at ${host} in an hour`, most: 240, seconds: hour },
  ]);
}
