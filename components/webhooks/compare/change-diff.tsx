"use client";

import type { HistoryEntry } from "@/lib/webhooks/model/configuration";
import { shownVersionInHistory } from "@/lib/webhooks/model/side";
import { useTranslations } from "next-intl";
import { DiffBlock } from "./diff-block";

type Change = HistoryEntry["changes"][number];

type ChangeDiffProps = {
  change: Change;
  /** Without a heading where what stands above names the type. */
  named?: boolean;
  /** Leave out what is the same on both sides. */
  brief?: boolean;
};

/** What a save or another client made of one type, or was to make of it. */
export function ChangeDiff({ change, named = true, brief = false }: ChangeDiffProps) {
  const t = useTranslations();
  const type = t(`webhooks.types.${change.type}`);
  const heading =
    change.outcome === "seen" ? type : `${type} · ${t(`webhooks.result.types.${change.outcome}`)}`;
  return (
    <DiffBlock
      {...(named ? { heading } : {})}
      before={shownVersionInHistory(change.before)}
      after={shownVersionInHistory(change.after)}
      brief={brief}
    />
  );
}
