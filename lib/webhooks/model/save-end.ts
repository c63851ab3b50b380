import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";

// Part of the page's first load, unlike the code that parses whole answers, and its library.

/** The address is confirmed, and no later reading can tell more about the value. */
export function isAddressOnly(result: Pick<SaveResult, "outcome" | "results" | "open">): boolean {
  if (result.open || !["accepted", "unknown"].includes(result.outcome)) return false;
  const isUnseen = (each: SaveResult["results"][number]) => each.authorization === "not_shown";
  const isConfirmed = result.results.every((each) => isUnseen(each) || inEffect.has(each.outcome));
  return isConfirmed && result.results.some(isUnseen);
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
  moved = [],
}: Pick<SaveResult, "configuration" | "results" | "moved">): string[] {
  return results.flatMap(({ type, outcome }) => {
    const url = configuration?.webhooks.find((webhook) => webhook.type === type)?.callbackUrl;
    return url !== undefined && (outcome === "created" || moved.includes(type))
      ? [`${type} ${url}`]
      : [];
  });
}

const inEffect: ReadonlySet<string> = new Set(["created", "overwritten", "unchanged"]);
