"use client";

import type { HistoryEntry } from "@/lib/webhooks/model/configuration";
import { isProblemCode } from "@/lib/platform/http/model/problem";
import {
  sameAuthorization,
  shownVersionInHistory,
  type ShownAuthorization,
} from "@/lib/webhooks/model/side";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useTranslations } from "next-intl";
import type { ReactNode } from "react";

type Change = HistoryEntry["changes"][number];

/** A history entry in words: what was done, and what that changed. */
export function useHistoryWords() {
  const t = useTranslations();

  const list = (types: readonly WebhookType[]) => {
    const [first, second] = types;
    return t(`webhooks.typesList.${second ? "both" : (first ?? "pix_in")}`);
  };
  const strong = (types: readonly WebhookType[]) => () => (
    <strong className="font-semibold">{list(types)}</strong>
  );

  function said({ outcome, changes, types }: HistoryEntry): ReactNode {
    const of = (wanted: Change["outcome"]) =>
      changes.filter((change) => change.outcome === wanted).map(({ type }) => type);
    const [created, overwritten] = [of("created"), of("overwritten")];
    if (outcome !== "saved") return t.rich(`history.said.${outcome}`, { types: strong(types) });
    if (created.length > 0 && overwritten.length > 0) {
      return t.rich("history.said.createdAndOverwritten", {
        created: strong(created),
        overwritten: strong(overwritten),
      });
    }
    return created.length > 0
      ? t.rich("history.said.created", { types: strong(created) })
      : t.rich("history.said.overwritten", { types: strong(overwritten) });
  }

  function details({ outcome, changes, reason, earlier }: HistoryEntry): string | null {
    const before =
      earlier && t("history.details.earlier", { said: t(`history.outcomes.${earlier}`) });
    const unseen = isUnseen(outcome, changes) && t("history.details.authorizationNotShown");
    return [...about(outcome, changes, reason), unseen, before].filter(Boolean).join(" · ") || null;
  }

  function about(
    outcome: HistoryEntry["outcome"],
    changes: readonly Change[],
    reason: HistoryEntry["reason"],
  ): (string | null)[] {
    switch (outcome) {
      case "saved":
        return [changed(changes), t("history.details.readBack")];
      case "seen":
        return [changed(changes)];
      // What is said of these says why, too.
      case "accepted":
      case "overtaken":
      case "not_applied":
        return [];
      default:
        return [isProblemCode(reason) ? t(`problems.${reason}.title`) : null];
    }
  }

  function changed(changes: readonly Change[]): string | null {
    const overwritten = changes.filter(({ before, after }) => before && after);
    const sides = overwritten.map(({ before, after }) => ({
      before: shownVersionInHistory(before),
      after: shownVersionInHistory(after),
    }));
    const url = sides.some(({ before, after }) => before?.url !== after?.url);
    const moved = sides.flatMap(({ before, after }) =>
      before && after && isAnotherValue(before.authorization, after.authorization)
        ? { before: before.authorization.kind, after: after.authorization.kind }
        : [],
    );
    if (url && moved.length > 0) return t("history.details.urlAndAuthorization");
    if (url) return t("history.details.url");
    if (moved.length === 0) return null;
    if (moved.every(({ after }) => after === "unset")) {
      return t("history.details.authorizationRemoved");
    }
    return moved.every(({ before, after }) => before === "unset" && after === "set")
      ? t("history.details.authorizationSet")
      : t("history.details.authorization");
  }

  return { said, details };
}

/** Whether what became of the value is among what the service does not show. */
function isUnseen(outcome: HistoryEntry["outcome"], changes: readonly Change[]): boolean {
  if (changes.some(({ authorization }) => authorization === "not_shown")) return true;
  return outcome === "seen" && changes.some(({ before, after }) => before?.hidden || after?.hidden);
}

/** Of a value that is not shown nobody knows. */
function isAnotherValue(before: ShownAuthorization, after: ShownAuthorization): boolean {
  if (before.kind === "hidden" || after.kind === "hidden") return false;
  return !sameAuthorization(before, after);
}
