"use client";

import { Button } from "@/components/ui/button";
import { AbsoluteTime } from "@/components/ui/time";
import type { HistoryEntry } from "@/lib/webhooks/model/configuration";
import {
  CircleHelp,
  CircleX,
  Eye,
  Hourglass,
  Pencil,
  TimerOff,
  TriangleAlert,
  Undo2,
} from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { ChangeDiff } from "@/components/webhooks/compare/change-diff";
import { useHistoryWords } from "./use-history-words";

const icons = {
  saved: Pencil,
  unchanged: Pencil,
  partial: TriangleAlert,
  not_saved: CircleX,
  accepted: Hourglass,
  unknown: CircleHelp,
  overtaken: Undo2,
  not_applied: TimerOff,
  seen: TriangleAlert,
  revealed: Eye,
} as const;

/** One line: what happened, who did it, when; the difference, where there is one, on demand. */
export function RecentChange({ entry }: { entry: HistoryEntry }) {
  const t = useTranslations();
  const words = useHistoryWords();
  const [open, setOpen] = useState(false);
  const ids = { what: useId(), button: useId(), diff: useId() };
  const Icon = icons[entry.outcome];
  const details = words.details(entry);
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-3 sm:grid-cols-[auto_minmax(0,1fr)_minmax(0,14rem)_auto] sm:items-center sm:px-5">
      <Icon aria-hidden className="mt-0.5 size-4 text-ink-2 sm:row-span-1" />
      <div className="min-w-0">
        <p id={ids.what}>{words.said(entry)}</p>
        {details ? <p className="text-small text-ink-3 first-letter:uppercase">{details}</p> : null}
      </div>
      <div className="min-w-0 max-sm:col-start-2">
        <p className="[overflow-wrap:anywhere]">
          {entry.by ?? (
            <span title={t("history.unknownClientHint")}>{t("history.unknownClient")}</span>
          )}
        </p>
        {entry.proposedBy === undefined ? null : (
          <p className="text-small [overflow-wrap:anywhere] text-ink-2">
            {t("history.proposedBy", { name: entry.proposedBy })}
          </p>
        )}
        <p className="text-small text-ink-3">
          <AbsoluteTime at={entry.at} />
        </p>
      </div>
      {entry.changes.length > 0 ? (
        <Button
          id={ids.button}
          variant="ghost"
          size="sm"
          aria-expanded={open}
          aria-controls={open ? ids.diff : undefined}
          aria-labelledby={`${ids.button} ${ids.what}`}
          onClick={() => setOpen(!open)}
          className="max-sm:col-start-2 max-sm:-ml-2.5 max-sm:justify-self-start"
        >
          {open ? t("history.hideDiff") : t("history.viewDiff")}
        </Button>
      ) : null}
      {open ? (
        <div id={ids.diff} className="col-span-full flex flex-col gap-2 pt-1 sm:pl-8">
          {entry.changes.map((change) => (
            <ChangeDiff key={change.type} change={change} />
          ))}
          {entry.requestId ? (
            <p className="text-small text-ink-3">
              {t("history.requestId", { requestId: entry.requestId })}
            </p>
          ) : null}
        </div>
      ) : null}
    </li>
  );
}
