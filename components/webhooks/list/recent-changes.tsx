"use client";

import { recentWords } from "@/components/history/describe-save";
import { Diffs, differs, HistoryEntry } from "@/components/history/history-entry";
import { Card } from "@/components/ui/card";
import type { ConfiguredWebhook, RecentChange } from "@/lib/webhooks/model/configuration";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { EditButton, type Editing } from "./edit-button";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Undo2 } from "lucide-react";

type RecentChangesProps = {
  entries: readonly RecentChange[];
  /** The registered version: there is nothing to restore. */
  now: readonly ConfiguredWebhook[];
  editing: Editing;
  onOpen: (address: SheetAddress) => void;
  /** The full history's page. */
  historyHref?: string;
};

export function RecentChanges({ entries, historyHref, ...restoring }: RecentChangesProps) {
  const t = useTranslations("webhooks.recent");
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("title")}
        </h2>
        {historyHref ? (
          <Link
            href={historyHref}
            prefetch={false}
            className="text-small font-medium text-brand hover:underline"
          >
            {t("all")}
          </Link>
        ) : null}
      </div>
      {entries.length === 0 ? (
        <p className="rounded-card border border-dashed border-line-strong px-5 py-4 text-ink-2">
          {t("empty")}
        </p>
      ) : (
        <Card>
          <ul className="divide-y divide-line px-4 sm:px-5">
            {entries.map((entry) => (
              <RecentEntry key={entry.id} entry={entry} {...restoring} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}

type RecentEntryProps = Pick<RecentChangesProps, "now" | "editing" | "onOpen"> & {
  entry: RecentChange;
};

/** As in the timeline; the difference, where there is one, on demand. */
function RecentEntry({ entry, now, editing, onOpen }: RecentEntryProps) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  const ids = { sentence: useId(), button: useId(), diff: useId() };
  const description = recentWords[entry.kind](entry, entry, t);
  if (!description) return null;
  const changes = description.changes ?? [];
  const restoring = entry.seq
    ? restoringSheets(
        addressesBefore(changes).filter(
          ({ type, callbackUrl }) =>
            !now.some((webhook) => webhook.type === type && webhook.callbackUrl === callbackUrl),
        ),
        `entry.${entry.seq}`,
      )
    : [];
  const difference = (
    <>
      <Button
        id={ids.button}
        variant="ghost"
        size="sm"
        aria-expanded={open}
        aria-controls={open ? ids.diff : undefined}
        aria-labelledby={`${ids.button} ${ids.sentence}`}
        onClick={() => setOpen(!open)}
        className="-ml-2.5 self-start"
      >
        {t(open ? "history.hideDiff" : "history.viewDiff")}
      </Button>
      {open ? (
        <div id={ids.diff} className="flex flex-col gap-2">
          <Diffs entry={entry} changes={changes} />
          {restoring.length > 0 ? (
            <div className="flex flex-wrap gap-2">
              {restoring.map((sheet) => (
                <EditButton
                  key={sheet.type}
                  editing={editing}
                  opens={sheet}
                  onOpen={onOpen}
                  size="sm"
                  icon={<Undo2 aria-hidden />}
                >
                  {restoring.length > 1
                    ? t("webhooks.card.restoreType", { type: t(`webhooks.types.${sheet.type}`) })
                    : t("webhooks.card.restore")}
                </EditButton>
              ))}
            </div>
          ) : null}
        </div>
      ) : null}
    </>
  );
  return (
    <HistoryEntry
      entry={entry}
      description={description}
      sentenceId={ids.sentence}
      more={changes.some(differs) ? difference : null}
    />
  );
}
