import type { Configuration, OpenSave, SaveResult } from "@/lib/webhooks/model/configuration";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";

// Part of the page's first load, unlike the code that parses whole answers, and its library.

/** How an open save ended, by a later reading; null where that does not show it. */
export function endOf(save: OpenSave, now: Configuration): SaveResult | null {
  const { requestId, operation } = save;
  const entry = now.recentChanges.find((each) => each.requestId === requestId);
  if (entry?.kind !== "save") return null;
  const { outcome } = entry;
  if (outcome === "accepted" || outcome === "unknown") return null;
  if (outcome === "seen" || outcome === "revealed") return null;
  const results = entry.changes.flatMap(({ type, outcome: of, authorization }) =>
    of === "seen" ? [] : [{ type, outcome: of, ...(authorization && { authorization }) }],
  );
  return { outcome, results, configuration: now, requestId, operation };
}

/**
 * The service answered an error, or nothing, and has the change all the same: the history keeps the reason for the
 * doubt.
 */
export function endedAfterError({ configuration, requestId, outcome }: SaveResult): boolean {
  const entry = configuration?.recentChanges.find((each) => each.requestId === requestId);
  if (!entry || outcome !== "saved") return false;
  return entry.reason !== null || entry.earlier === "unknown" || entry.earlier === "not_saved";
}

/** The address is confirmed, and nothing more can be found out about the value: nothing is open. */
export function isAddressOnly(result: SaveResult): boolean {
  if (result.open || !["accepted", "unknown"].includes(result.outcome)) return false;
  return result.results.some(({ authorization }) => authorization === "not_shown");
}

/** The service's own spelling of the typed address; null where it is the same. */
export function writtenAs({ configuration, results }: SaveResult, typed: string): string | null {
  const confirmed = results.filter(({ outcome }) => inEffect.has(outcome));
  const written = confirmed.map(
    ({ type }) => configuration?.webhooks.find((webhook) => webhook.type === type)?.callbackUrl,
  );
  const differs = (url: string) => url !== typed && isSameAddress(url, typed);
  return written.find((url) => url !== undefined && differs(url)) ?? null;
}

/** The addresses changed by a save, as the service shows them now. */
export function newAddresses({
  configuration,
  results,
  requestId,
}: Pick<SaveResult, "configuration" | "results" | "requestId">): string[] {
  const entry = configuration?.recentChanges.find((each) => each.requestId === requestId);
  return results.flatMap(({ type, outcome }) => {
    const url = configuration?.webhooks.find((webhook) => webhook.type === type)?.callbackUrl;
    const before = entry?.changes.find((change) => change.type === type)?.before?.callbackUrl;
    const isMoved = outcome === "overwritten" && before !== undefined && before !== url;
    return url !== undefined && (outcome === "created" || isMoved) ? [`${type} ${url}`] : [];
  });
}

const inEffect: ReadonlySet<string> = new Set(["created", "overwritten", "unchanged"]);
