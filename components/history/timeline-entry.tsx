import { ButtonLink } from "@/components/ui/button-link";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { CheckedItem } from "@/lib/history/model/item";
import { differs } from "@/lib/webhooks/model/compare";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import { searchWithSheet } from "@/lib/webhooks/model/sheet-address";
import { Undo2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId } from "react";
import { describeEntry } from "./entry-words";
import { Diffs } from "./diffs";
import { HistoryEntry, Requested } from "./history-entry";
import { ClockTime } from "@/components/ui/time";

type TimelineEntryProps = {
  item: CheckedItem;
  /** The viewer of their own entries. */
  self?: string;
  /** The Webhooks page, for a person who may restore an address there. */
  restoresAt?: string | undefined;
  /** Earlier entries that differ only in their time. */
  others?: readonly CheckedItem[];
  /** It stands under its day. */
  onItsDay?: boolean;
};

/** An entry of any kind, with its differences open. */
export function TimelineEntry({
  item,
  self,
  restoresAt,
  others = [],
  onItsDay = false,
}: TimelineEntryProps) {
  const description = describeEntry(item, useTranslations());
  const { changes = [], requested = [] } = description;
  const sentenceId = useId();
  return (
    <HistoryEntry
      entry={item}
      description={description}
      sentenceId={sentenceId}
      altered={!item.intact}
      self={self}
      onItsDay={onItsDay}
      requested={
        requested.some(differs) ? (
          <Requested>
            <Diffs entry={item} changes={requested} />
          </Requested>
        ) : null
      }
      more={<Others items={others} {...(self !== undefined && { self })} />}
    >
      {changes.some(differs) ? <Diffs entry={item} changes={changes} /> : null}
      {restoresAt !== undefined && item.intact ? (
        <Restore changes={changes} seq={item.seq} at={restoresAt} about={sentenceId} />
      ) : null}
    </HistoryEntry>
  );
}

/** The rest of a run that its newest entry stands for. */
function Others({ items, self }: { items: readonly CheckedItem[]; self?: string }) {
  const t = useTranslations("timeline.run");
  const oldest = items.at(-1);
  if (!oldest) return null;
  return (
    <details>
      <summary className="w-fit rounded-control text-small font-medium text-brand">
        {t.rich("more", { count: items.length, time: () => <ClockTime at={oldest.at} /> })}
      </summary>
      <ol aria-label={t("list")} className="mt-1 divide-y divide-line">
        {items.map((item) => (
          <TimelineEntry
            key={item.seq}
            item={item}
            onItsDay
            {...(self !== undefined && { self })}
          />
        ))}
      </ol>
    </details>
  );
}

type RestoreProps = {
  changes: readonly WebhookChange[];
  /** The entry's position. */
  seq: number;
  at: string;
  /** The id of the entry's text. */
  about: string;
};

/** Leads to the sheet that restores the address from before the entry; the sheet asks for confirmation. */
function Restore({ changes, seq, at, about }: RestoreProps) {
  const t = useTranslations("webhooks");
  const sheets = restoringSheets(addressesBefore(changes), `entry.${seq}`);
  if (sheets.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {sheets.map((sheet) => (
        <ButtonLink
          key={sheet.type}
          href={at + searchWithSheet(new URLSearchParams(), sheet)}
          size="sm"
          icon={<Undo2 aria-hidden />}
          prefetch={false}
          aria-describedby={about}
        >
          {sheets.length > 1
            ? t("card.restoreType", { type: t(`types.${sheet.type}`) })
            : t("card.restore")}
        </ButtonLink>
      ))}
    </div>
  );
}
