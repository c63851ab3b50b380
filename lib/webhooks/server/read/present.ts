import "server-only";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { isFollowed } from "@/lib/platform/database/tables";
import { db } from "@/lib/platform/database/open";
import { shownFingerprints } from "@/lib/platform/secrets/partner-mac";
import {
  configurationSchema,
  type Configuration,
  type OpenSave,
  type OutsideChange,
} from "@/lib/webhooks/model/configuration";
import { outsideNames, type LastKnownState, whyRetype } from "./last-known";
import { type ConnectionRef, revisionOf, type RemoteState, versionOf } from "./remote-state";
import { withProposals } from "@/lib/webhooks/server/proposals/webhook-proposals";
import { followMs, resultsIn } from "@/lib/webhooks/server/save/save-record";
import { isSeen } from "./reconcile";
import { compareVersions, type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { env } from "@/lib/platform/env/env";
import type { Fault } from "@/lib/platform/payment-service/model/fault";
import type { ProblemInit } from "@/lib/platform/http/model/problem";

type Shown = {
  confirmed:
    | (Pick<LastKnownState, "remote" | "lastChanges" | "known" | "outside" | "written"> &
        Pick<LastKnownState, "requestedAt" | "epoch">)
    | null;
  /** The caller knows that no save is open. */
  noneOpen?: true;
};

/** The configuration as the browser gets it, chosen field by field: no secret is passed on. */
export async function present(
  connectionRef: ConnectionRef,
  { confirmed, noneOpen }: Shown,
  staleReason?: Configuration["staleReason"],
): Promise<Configuration> {
  if (!confirmed) throw new Error("there is nothing confirmed to present");
  const { remote, epoch } = confirmed;
  const show = await shownFingerprints(db(), connectionRef.partnerId);
  const fingerprint = (stored: string) => show(connectionRef.environment, stored);
  const confirmedAgeMs = Math.max(0, Math.round(performance.now() - confirmed.requestedAt));
  const now = databaseTime();
  const configuration = configurationSchema.parse({
    partner: connectionRef.partnerId,
    environment: connectionRef.environment,
    revision: await revisionOf(db(), connectionRef, remote),
    // Newer than the stored state, which it leaves unchanged. Of two unstored readings, the later arrival counts as
    // newer.
    epoch: staleReason ? epoch + 0.5 : epoch,
    confirmedAt: new Date(now - confirmedAgeMs).toISOString(),
    confirmedAgeMs,
    answeredAt: new Date(now).toISOString(),
    stale: staleReason !== undefined,
    ...(staleReason && { staleReason }),
    ...(remote.unclear && { unclear: true }),
    webhooks: webhookTypes.flatMap((type) => {
      const webhook = remote.webhooks[type];
      if (!webhook) return [];
      const { duplicate, inferred } = webhook;
      const lastChange = changeOf(type, confirmed);
      const { authorization, ...item } = presentItem(webhook, fingerprint);
      const retype = whyRetype(webhook, confirmed.written?.[type]);
      return [
        {
          type,
          ...item,
          authorization: { ...authorization, ...(retype && { retype }) },
          duplicate,
          ...(inferred && { inferred }),
          lastChange,
        },
      ];
    }),
    unrecognised: remote.unrecognised.map((item) => ({
      type: item.type,
      ...presentItem(item, fingerprint),
    })),
    ...presentOutside(confirmed, fingerprint, await outsideNames(db(), connectionRef)),
    openSaves: noneOpen ? [] : await openSaves(connectionRef),
  });
  return withProposals(configuration, connectionRef.connection);
}

type Item = RemoteState["unrecognised"][number] | NonNullable<RemoteState["webhooks"]["pix_in"]>;

function presentItem(item: Item, fingerprint: (stored: string) => string) {
  const state = versionOf({ duplicate: false, inferred: false, ...item });
  return {
    callbackUrl: item.callbackUrl,
    authorization: {
      set: item.fingerprint !== null || item.authorizationConflict,
      fingerprint: state?.fingerprint ? fingerprint(state.fingerprint) : null,
      conflict: state?.conflict ?? false,
      ...(state?.hidden && { hidden: state.hidden }),
    },
    events: item.events,
  };
}

/** As in the history, with the short fingerprint. */
function presentOutside(
  { outside, written }: Pick<LastKnownState, "outside" | "written">,
  fingerprint: (stored: string) => string,
  nameOf: Awaited<ReturnType<typeof outsideNames>>,
): Pick<Configuration, "outside"> {
  const shown = webhookTypes.flatMap((type) => {
    const change = outside?.[type];
    if (!change) return [];
    const side = (version: WebhookVersion) =>
      version && {
        ...version,
        fingerprint: version.fingerprint && fingerprint(version.fingerprint),
      };
    const [since, at] = [change.since, change.at].map((ms) => new Date(ms).toISOString());
    const sides = { before: side(change.before), after: side(change.after) };
    const sent = written?.[type];
    const hadValue = typeof sent?.value === "string" && sent.at <= change.since;
    return [{ id: nameOf(type, change), type, ...sides, ...(hadValue && { hadValue }), since, at }];
  });
  return shown.length > 0 ? { outside: shown as OutsideChange[] } : {};
}

/**
 * No author where the shown version is not the last known one: the service answered from a lagging replica, or a save
 * is in progress.
 */
function changeOf(
  type: WebhookType,
  { remote, lastChanges, known }: NonNullable<Shown["confirmed"]>,
) {
  const change = lastChanges[type];
  const shown = versionOf(remote.webhooks[type]);
  const isKnown = !known || compareVersions(known[type] ?? null, shown) !== "different";
  return change && isKnown ? { ...change, at: new Date(change.at).toISOString() } : null;
}

/** Saves without a final outcome, newest first. Leaves out refused ones, which are followed, too. */
async function openSaves({ connection }: ConnectionRef): Promise<OpenSave[]> {
  const rows = await db()
    .selectFrom("changes")
    .select(["id", "request_id", "outcome", "results_json"])
    .select(({ fn }) => [
      fn.coalesce("decided_by", "author_name").as("by"),
      fn.coalesce("decided_at", "created_at").as("since"),
    ])
    .where("connection_id", "=", connection.id)
    // A save that went to another service, or as another client, has no effect here.
    .where("base_url", "=", connection.baseUrl)
    .where("client_id", "=", connection.clientId)
    .where(isFollowed)
    .where("state", "=", "open")
    .where("outcome", "in", ["accepted", "unknown", "partial"])
    .orderBy("since", "desc")
    .execute();
  return rows.map((row) => {
    const open = (resultsIn(row) ?? []).filter((result) => result.open);
    return {
      operation: row.id,
      outcome: row.outcome === "accepted" ? "accepted" : "unknown",
      types: open.map(({ type }) => type),
      ...(open.every(isSeen) && { seen: true }),
      by: row.by,
      at: new Date(row.since).toISOString(),
      until: new Date(Math.max(row.since + followMs(), databaseTime())).toISOString(),
      requestId: row.request_id,
    };
  });
}

/** A fault as a problem: the service's own words as text, and the address it would have to allow. */
export function problemInitOf(fault: Fault): ProblemInit {
  const { publicAddress } = env();
  return {
    ...(fault.upstreamText !== undefined && { detail: fault.upstreamText }),
    retryable: fault.retryable,
    ...(fault.retryAfter !== undefined && { retryAfter: fault.retryAfter }),
    extra: {
      ...(fault.upstreamStatus !== undefined && { upstreamStatus: fault.upstreamStatus }),
      ...(fault.code === "ip_not_allowed" && publicAddress !== null && { publicAddress }),
    },
  };
}

/** The same for a configuration that is shown although the service could not be read. */
export function staleReasonOf(
  fault: Fault,
  requestId: string,
): NonNullable<Configuration["staleReason"]> {
  const { detail, retryAfter, extra } = problemInitOf(fault);
  return { ...extra, code: fault.code, requestId, detail, retryAfter };
}
