import type { SaveState } from "@/lib/history/model/kind";
import { saveStates } from "@/lib/history/model/kind";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { isAt, isExact, showsValue, type Seen } from "./look";

/** What is said of a save, from what was asked, answered and shown. Pure. */

/**
 * The service's answer to the write. `unsent`: no byte of it left. Else the status of the answer; null where none came,
 * or a crash lost it.
 */
export type Answer = "unsent" | number | null;

/** One type of a save. */
export type SavedType = Seen & {
  type: WebhookType;
  /** A person typed the value. */
  typed?: boolean | undefined;
  /** What was shown before it. */
  before: WebhookVersion;
  /** It was shown and settled as asked, so nothing was sent for it. */
  unchanged?: true | undefined;
  /** undefined: not recorded yet. */
  answer?: Answer | undefined;
  /** What its address was last shown with, in place of the value asked for; and until when, if no longer. */
  value?: "not_shown" | "other" | undefined;
  addressUntil?: number | undefined;
  /** The look after its time that did not show it. */
  notShownAt?: number | undefined;
  /** Of a closed save: the last readable look for it. */
  lookedAt?: number | undefined;
};

const acknowledged: ReadonlySet<Answer> = new Set([200, 201]);
/** Gancho's own choice: the contract does not say how a registration is refused (docs/contract.md § 7.2). */
const refusals: ReadonlySet<Answer> = new Set([400, 401, 403, 404, 422]);

export function isRefused({ answer }: Pick<SavedType, "answer">): boolean {
  return answer !== undefined && refusals.has(answer);
}

function isAcknowledged({ answer }: Pick<SavedType, "answer">): boolean {
  return answer !== undefined && acknowledged.has(answer);
}

/** Whether it may have an effect at the service. */
export function mayApply({ unchanged, answer }: Pick<SavedType, "unchanged" | "answer">): boolean {
  return !unchanged && answer !== "unsent";
}

export function stateOf(save: SavedType): SaveState {
  if (save.unchanged) return "unchanged";
  if (save.answer === "unsent") return "not_sent";
  if (save.shownAt !== undefined) return "saved";
  if (save.addressAt !== undefined && isMoved(save)) return "partly";
  if (isRefused(save)) return "refused";
  if (save.notShownAt !== undefined) return "not_shown";
  return isAcknowledged(save) ? "accepted" : "unclear";
}

/** Only then does its address alone say something. */
function isMoved({ before, asked }: Pick<SavedType, "before" | "asked">): boolean {
  return !isAt(before, asked);
}

/** The least done; an unchanged type counts only if there is no other. */
export function outcomeOf(states: readonly SaveState[]): SaveState {
  return saveStates.find((state) => states.includes(state)) ?? "unchanged";
}

/** What one look, whose time was `at`, adds to what is said of a save. */
export function afterLook(
  save: SavedType,
  shown: WebhookVersion,
  {
    at,
    lookedBefore,
    isAfterTime,
  }: { at: number; lookedBefore: number | null; isAfterTime: boolean },
): SavedType {
  const isHere = isAt(shown, save.asked);
  const after = { ...save };
  if (isHere && !isExact(save, shown)) {
    after.value = showsValue(shown) ? "other" : "not_shown";
  }
  if (isHere) delete after.addressUntil;
  else if (save.addressAt !== undefined) after.addressUntil ??= lookedBefore ?? at;
  const isOpen = stateOf(after) === "accepted" || stateOf(after) === "unclear";
  if (isAfterTime && isOpen) after.notShownAt = at;
  return after;
}
