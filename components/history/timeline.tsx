import { Hint } from "@/components/ui/hint";
import { Sentences } from "@/components/ui/sentences";
import { ButtonLink } from "@/components/ui/button-link";
import { Card } from "@/components/ui/card";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import type { CheckedItem } from "@/lib/history/model/item";
import { Archive, ShieldAlert, ShieldCheck, History, MapPinOff, SearchX } from "lucide-react";
import { useFormatter, useTimeZone, useTranslations } from "next-intl";
import { useId } from "react";
import { describeEntry } from "./entry-words";
import { groupEntries } from "./group-entries";
import { TimelineEntry } from "./timeline-entry";
import { EmptyState } from "@/components/ui/empty-state";
import type { HistoryScope } from "@/lib/history/model/filters";

type TimelineProps = {
  entries: readonly CheckedItem[];
  /** Null if there are no older entries. */
  olderHref: string | null;
  /** Null on the first page. */
  newestHref: string | null;
  /** The path of the Webhooks page, if the viewer may restore an address there. */
  restoresAt?: string | undefined;
  /** The removal of entries older than these. */
  removed?: Removed | undefined;
};

/** ISO 8601: when the newest removed entry was made, and when the last removal was; null if no intact entry says so. */
type Removed = { upTo: string | null; at: string | null };

export function Timeline({ entries, olderHref, newestHref, restoresAt, removed }: TimelineProps) {
  const t = useTranslations("timeline");
  const all = useTranslations();
  const format = useFormatter();
  const id = useId();
  const timeZone = useTimeZone() ?? "UTC";
  const altered = entries.filter((entry) => !entry.intact).length;
  return (
    <div className="flex flex-col gap-4">
      {altered > 0 ? (
        <Notice
          tone="bad"
          icon={<ShieldAlert aria-hidden />}
          title={t("altered.title", { count: altered })}
        >
          {t("altered.text")}
        </Notice>
      ) : null}
      <span id={id} hidden>
        {t("list")}
      </span>
      <Card>
        {groupEntries(entries, (item) => describeEntry(item, all), timeZone).map(
          ({ day, at, runs }) => (
            // The heading gives the day, so each line gives only the time.
            <section
              key={day}
              aria-labelledby={`${id}-${day}`}
              className="border-t border-line first:border-t-0 [&:first-child>h2]:rounded-t-card"
            >
              <h2
                id={`${id}-${day}`}
                className="border-b border-line bg-sunken px-4 py-1.5 text-small font-medium text-ink-2 first-letter:uppercase sm:px-5"
              >
                {format.dateTime(new Date(at), {
                  weekday: "long",
                  day: "numeric",
                  month: "long",
                  year: "numeric",
                })}
              </h2>
              <ol
                aria-labelledby={`${id} ${id}-${day}`}
                className="divide-y divide-line px-4 sm:px-5"
              >
                {runs.map(({ first, others, goesOn }) => (
                  <TimelineEntry
                    key={first.seq}
                    item={first}
                    others={others}
                    goesOn={goesOn}
                    restoresAt={restoresAt}
                    onItsDay
                  />
                ))}
              </ol>
            </section>
          ),
        )}
      </Card>
      {removed ? <RemovedNote removed={removed} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-3">
        {altered === 0 ? (
          <Hint tone="faint" icon={ShieldCheck}>
            {t("verified")}
          </Hint>
        ) : null}
        {olderHref || newestHref ? (
          <nav aria-label={t("paging.label")} className="flex flex-wrap gap-2 print:hidden">
            {newestHref ? <ButtonLink href={newestHref}>{t("paging.newest")}</ButtonLink> : null}
            {olderHref ? <ButtonLink href={olderHref}>{t("paging.older")}</ButtonLink> : null}
          </nav>
        ) : null}
      </div>
    </div>
  );
}

/** Says that older entries were removed. */
export function RemovedNote({ removed: { upTo, at } }: { removed: Removed }) {
  const t = useTranslations("timeline.removed");
  const format = useFormatter();
  const day = (timestamp: string) => (
    <time dateTime={timestamp} className="whitespace-nowrap">
      {format.dateTime(new Date(timestamp), { day: "numeric", month: "long", year: "numeric" })}
    </time>
  );
  return (
    <Hint icon={Archive}>
      {upTo === null || at === null ? (
        t("unrecorded")
      ) : (
        <Sentences of={[t.rich("text", { upTo: () => day(upTo), at: () => day(at) })]} />
      )}
    </Hint>
  );
}

const nothing = { none: History, filtered: SearchX, notYet: SearchX, cursor: MapPinOff };

type NothingShownProps = {
  /** `notYet`: older entries have not been searched yet. `cursor`: the URL's cursor is not of this history. */
  why: keyof typeof nothing;
  scope: HistoryScope;
  /** The link to continue with, for `notYet` and `cursor`. */
  href?: string | null;
};

/** Replaces the entries when there are none to show. */
export function NothingShown({ why, scope, href }: NothingShownProps) {
  const t = useTranslations("timeline.empty");
  const Icon = nothing[why];
  return (
    <EmptyState
      icon={<Icon aria-hidden />}
      title={t(`${why}.title`)}
      text={t(`${why}.${why === "none" && scope === "people" ? "people" : "text"}` as "none.text")}
      action={
        href ? <ButtonLink href={href}>{t(`${why as "notYet" | "cursor"}.next`)}</ButtonLink> : null
      }
    />
  );
}

/** A placeholder while the entries load. */
export function TimelineSkeleton() {
  const t = useTranslations("timeline");
  return (
    <Card>
      <p className="sr-only">{t("loading")}</p>
      <div className="flex flex-col gap-5 p-4 sm:p-5">
        {[1, 2, 3, 4, 5].map((line) => (
          <Skeleton key={line} className="h-10" />
        ))}
      </div>
    </Card>
  );
}
