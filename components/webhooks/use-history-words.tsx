"use client";

import type { HistoryEntry } from "@/lib/webhooks/configuration";
import { isProblemCode } from "@/lib/problem";
import type { WebhookType } from "@/lib/webhooks/types";
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

  function details({ outcome, changes, reason }: HistoryEntry): string | null {
    if (outcome === "saved") {
      return [changed(changes), t("history.details.readBack")].filter(Boolean).join(" · ");
    }
    if (outcome === "seen") return changed(changes);
    return isProblemCode(reason) ? t(`problems.${reason}.title`) : null;
  }

  function changed(changes: readonly Change[]): string | null {
    const overwritten = changes.filter(({ before, after }) => before && after);
    const url = overwritten.some(({ before, after }) => before?.callbackUrl !== after?.callbackUrl);
    const moved = overwritten.filter(
      ({ before, after }) => before?.fingerprint !== after?.fingerprint,
    );
    if (url && moved.length > 0) return t("history.details.urlAndAuthorization");
    if (url) return t("history.details.url");
    if (moved.length === 0) return null;
    if (moved.every(({ after }) => after?.fingerprint === null)) {
      return t("history.details.authorizationRemoved");
    }
    return moved.every(({ before }) => before?.fingerprint === null)
      ? t("history.details.authorizationSet")
      : t("history.details.authorization");
  }

  return { said, details };
}
