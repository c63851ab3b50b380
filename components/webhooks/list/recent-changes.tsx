"use client";

import { Card } from "@/components/ui/card";
import type { HistoryEntry } from "@/lib/webhooks/model/configuration";
import { useTranslations } from "next-intl";
import Link from "next/link";
import { useId } from "react";
import { RecentChange } from "./recent-change";

type RecentChangesProps = {
  entries: readonly HistoryEntry[];
  /** The full history's page. */
  historyHref?: string;
};

export function RecentChanges({ entries, historyHref }: RecentChangesProps) {
  const t = useTranslations("webhooks.recent");
  const headingId = useId();
  return (
    <section aria-labelledby={headingId} className="flex flex-col gap-3">
      <div className="flex items-baseline justify-between gap-4">
        <h2 id={headingId} className="text-[0.9375rem] font-semibold">
          {t("title")}
        </h2>
        {historyHref ? (
          <Link href={historyHref} className="text-small font-medium text-brand hover:underline">
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
          <ul className="divide-y divide-line">
            {entries.map((entry) => (
              <RecentChange key={entry.id} entry={entry} />
            ))}
          </ul>
        </Card>
      )}
    </section>
  );
}
