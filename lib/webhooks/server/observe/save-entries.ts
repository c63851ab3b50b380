import "server-only";
import { typedValue } from "@/lib/history/model/item";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { NewHistoryEntry } from "@/lib/history/server/record/record";
import { type WebhookVersion } from "@/lib/webhooks/model/webhook-version";
import { outcomeOf, stateOf, type SavedType } from "./said";
import type { SaveRecord } from "./save-record";

/** What the history says of a save: asked, sent with its answer, first shown, not shown in time. */

/** What the service answered, or that nothing was sent. */
export function sentEntry(save: SaveRecord): NewHistoryEntry {
  // An answer says nothing of what is shown.
  const changes = save.types.map((each) => {
    const unseen = { shownAt: undefined, addressAt: undefined, notShownAt: undefined };
    const sent = { ...each, ...unseen };
    return changeOf(sent, stateOf(sent));
  });
  return {
    ...historyBase(save),
    kind: "save_sent",
    outcome: outcomeOf(changes.map(({ outcome }) => outcome)),
    detail: { saveId: save.id, changes, problem: save.problem, ...proposalIn(save) },
  };
}

export function shownEntries(before: SaveRecord, after: SaveRecord): NewHistoryEntry[] {
  const changes = after.types.flatMap((each) => {
    const state = stateOf(each);
    if (state !== "saved" && state !== "partly") return [];
    const was = before.types.find(({ type }) => type === each.type);
    const isNew = !was || stateOf(was) !== state;
    return isNew ? [{ each, state, was }] : [];
  });
  if (changes.length === 0) return [];
  const isLate = changes.some(({ was }) => was?.notShownAt !== undefined);
  const entry: NewHistoryEntry = {
    ...historyBase(after),
    kind: "save_shown",
    outcome: outcomeOf(changes.map(({ state }) => state)),
    detail: {
      saveId: after.id,
      changes: changes.map(({ each, state }) => changeOf(each, state)),
      ...(isLate && { late: true as const }),
      ...proposalIn(after),
    },
  };
  return [entry];
}

export function notShownEntries(before: SaveRecord, after: SaveRecord): NewHistoryEntry[] {
  const missed = after.types.filter((each) => {
    const was = before.types.find(({ type }) => type === each.type);
    return each.notShownAt !== undefined && was?.notShownAt === undefined;
  });
  if (missed.length === 0) return [];
  const entry: NewHistoryEntry = {
    ...historyBase(after),
    kind: "save_not_shown",
    outcome: "not_shown",
    detail: {
      saveId: after.id,
      changes: missed.map((each) => changeOf(each, "not_shown")),
      lookedAt: Math.max(...missed.map(({ notShownAt }) => notShownAt ?? 0)),
      ...proposalIn(after),
    },
  };
  return [entry];
}

function changeOf(
  each: SavedType,
  outcome: WebhookChange["outcome"],
): WebhookChange & { outcome: ReturnType<typeof stateOf> } {
  const { type, answer, value, before } = each;
  const isShown = outcome === "saved" || outcome === "unchanged";
  // Its form may be of before, with a placeholder: it says how the service writes the address.
  const { callbackUrl } = each.form ?? each.asked;
  return {
    type,
    outcome: outcome as ReturnType<typeof stateOf>,
    ...(typeof answer === "number" && { answered: answer }),
    ...(value && !isShown && { value }),
    before,
    after: isShown ? { ...each.asked, callbackUrl } : withoutTypedFingerprint(each),
  };
}

/** What was asked for, as the history stores it while the list does not show it. */
export function withoutTypedFingerprint({
  asked,
  typed,
}: Pick<SavedType, "asked" | "typed">): NonNullable<WebhookVersion> {
  return typed && asked.fingerprint !== null ? { ...asked, fingerprint: typedValue } : asked;
}

export function attemptEntry(save: SaveRecord): NewHistoryEntry {
  return {
    ...historyBase(save),
    kind: "save_attempt",
    outcome: null,
    detail: {
      saveId: save.id,
      desired: save.types.map((each) => ({
        type: each.type,
        state: withoutTypedFingerprint(each),
      })),
      ...proposalIn(save),
    },
  };
}

function proposalIn({ proposal }: Pick<SaveRecord, "proposal">) {
  return proposal ? { proposal } : {};
}

function historyBase(save: SaveRecord) {
  return {
    partnerId: save.partnerId,
    environment: save.environment,
    types: save.types.map(({ type }) => type),
    actor: save.actor,
    requestId: save.requestId,
  };
}
