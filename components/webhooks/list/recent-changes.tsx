"use client";

import { recentWords } from "@/components/history/describe-save";
import { HistoryEntry, Requested } from "@/components/history/history-entry";
import { lazyPart } from "@/components/layout/lazy-part";
import { Card } from "@/components/ui/card";
import type { ConfiguredWebhook, RecentChange } from "@/lib/webhooks/model/configuration";
import { differs } from "@/lib/webhooks/model/compare";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import type { Editing } from "./edit-button";
import type { RecentDetailsProps } from "./recent-details";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useId, useState } from "react";
import { Button } from "@/components/ui/button";

/** Most people leave the page without opening one. */
const { LazyPart: RecentDetails, preload: preloadDetails } = lazyPart<RecentDetailsProps>(
  () => import("./recent-details").then((module) => module.RecentDetails),
  ({ onClose }) => onClose(),
);

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

type RecentEntryProps = NonNullable<RecentDetailsProps["restoring"]> & { entry: RecentChange };

/** As in the timeline; the difference, where there is one, on demand. */
function RecentEntry({ entry, ...restoring }: RecentEntryProps) {
  const t = useTranslations();
  const [open, setOpen] = useState(false);
  const [openRequested, setOpenRequested] = useState(false);
  const ids = { sentence: useId(), button: useId(), diff: useId() };
  const description = recentWords[entry.kind](entry, entry, t);
  if (!description) return null;
  const { changes = [], requested = [] } = description;
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
        onPointerEnter={preloadDetails}
        onFocus={preloadDetails}
        className="-ml-2.5 self-start"
      >
        {t(open ? "history.hideDiff" : "history.viewDiff")}
      </Button>
      {open ? (
        <div id={ids.diff}>
          <RecentDetails
            entry={entry}
            changes={changes}
            restoring={restoring}
            onClose={() => setOpen(false)}
          />
        </div>
      ) : null}
    </>
  );
  return (
    <HistoryEntry
      entry={entry}
      description={description}
      sentenceId={ids.sentence}
      requested={
        requested.some(differs) ? (
          <Requested
            open={openRequested}
            onToggle={({ currentTarget }) => setOpenRequested(currentTarget.open)}
          >
            {openRequested ? (
              <RecentDetails
                entry={entry}
                changes={requested}
                onClose={() => setOpenRequested(false)}
              />
            ) : null}
          </Requested>
        ) : null
      }
      more={changes.some(differs) ? difference : null}
    />
  );
}
