import type { Configuration } from "./configuration";
import { webhookOf, type Draft } from "./draft";
import { sameShownVersion, shownVersionAfter, shownVersionOf, type ShownVersion } from "./side";
import { typesOf, webhookTypes, type WebhookType } from "./types";

/** One type of a three-way comparison. */
export type TypeConflict = {
  type: WebhookType;
  /** As it was when the form was opened. */
  opened: ShownVersion;
  now: ShownVersion;
  /** Null where the draft leaves this type alone. */
  mine: ShownVersion;
  /** Who changed it since, where that was seen; `by` is null for a client of the service other than Gancho. */
  changed: { at: string; by: string | null } | null;
};

/** The types that somebody changed since the form was opened, and those that the draft wants to change. */
export function conflictOf(
  opened: Configuration,
  now: Configuration,
  draft: Draft,
): TypeConflict[] {
  return webhookTypes.flatMap((type) => {
    const [before, present] = [shownVersionOf(opened, type), shownVersionOf(now, type)];
    const changed = !sameShownVersion(before, present);
    const mine = typesOf(draft.type).includes(type);
    if (!changed && !mine) return [];
    return {
      type,
      opened: before,
      now: present,
      mine: mine ? shownVersionAfter(draft, present, now.list) : null,
      changed: changed ? (webhookOf(now, type)?.lastChange ?? null) : null,
    };
  });
}

/**
 * Whose changes saving the draft now would overwrite: names, and null for an unknown client of the service. Empty
 * where what changed is left alone, or it is not known who changed it.
 */
export function overwrittenAuthors(conflicts: readonly TypeConflict[]): (string | null)[] {
  const authors = conflicts.flatMap(({ mine, changed }) => (mine && changed ? [changed.by] : []));
  return [...new Set(authors)];
}
