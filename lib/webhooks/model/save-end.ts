import type { SaveResult } from "@/lib/webhooks/model/configuration";
import { isSameAddress, isSameSpelling } from "@/lib/webhooks/model/webhook-version";

// Part of the page's first load, unlike the code that parses whole answers, and its library.

type Result = SaveResult["results"][number];

/** Shown although the service did not answer that it had accepted the write. */
export function isShownOnly({ outcome, answered }: Result): boolean {
  return outcome === "saved" && answered !== 200 && answered !== 201;
}

/** The first words about a save: its outcome, or that it is shown though it was not accepted. */
export function titleOf({
  outcome,
  results,
}: Pick<SaveResult, "outcome" | "results">): SaveResult["outcome"] | "shown" {
  return outcome === "saved" && results.some(isShownOnly) ? "shown" : outcome;
}

/** Whether the list shows as much of it as it can: nothing is left for the person to do. */
export function isDone({ results }: Pick<SaveResult, "results">): boolean {
  const isShown = ({ outcome, value }: Result) =>
    ["saved", "unchanged", "partly"].includes(outcome) ||
    (outcome === "accepted" && value === "not_shown");
  return results.length > 0 && results.every(isShown);
}

/** Whether Gancho still looks for it. */
export function isLookedFor({ results }: Pick<SaveResult, "results">): boolean {
  return results.some(({ until }) => until !== undefined);
}

/** The service's own spelling of the typed address; null where it is the same, or not shown. */
export function writtenAs({ configuration, results }: SaveResult, typed: string): string | null {
  const written = results
    .filter(({ outcome }) => outcome === "saved" || outcome === "unchanged")
    .map(
      ({ type }) => configuration?.webhooks.find((webhook) => webhook.type === type)?.callbackUrl,
    );
  const differs = (url: string) =>
    url !== typed && (isSameAddress(url, typed) || isSameSpelling(url, typed));
  return written.find((url) => url !== undefined && differs(url)) ?? null;
}
