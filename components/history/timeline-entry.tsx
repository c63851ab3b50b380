import { Disclosure } from "@/components/ui/disclosure";
import { MenuLink, RowMenu } from "@/components/ui/menu";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import type { CheckedItem } from "@/lib/history/model/item";
import { differs } from "@/lib/webhooks/model/compare";
import { addressesBefore, restoringSheets } from "@/lib/webhooks/model/draft";
import { searchWithSheet } from "@/lib/webhooks/model/sheet-address";
import { useTranslations } from "next-intl";
import { describeEntry } from "./entry-words";
import { Diffs } from "./diffs";
import { HistoryEntry, Requested } from "./history-entry";
import { ClockTime } from "@/components/ui/time";

type TimelineEntryProps = {
  item: CheckedItem;
  /** The viewer of their own entries. */
  self?: string | undefined;
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
  return (
    <HistoryEntry
      entry={item}
      description={description}
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
      more={<Others items={others} self={self} />}
      menu={
        restoresAt === undefined ? undefined : item.intact ? (
          <EntryMenu changes={changes} seq={item.seq} at={restoresAt} />
        ) : null
      }
    >
      {changes.some(differs) ? <Diffs entry={item} changes={changes} /> : null}
    </HistoryEntry>
  );
}

/** The rest of a run that its newest entry stands for. */
function Others({ items, self }: { items: readonly CheckedItem[]; self?: string | undefined }) {
  const t = useTranslations("timeline.run");
  const oldest = items.at(-1);
  if (!oldest) return null;
  return (
    <Disclosure
      summary={t.rich("more", { count: items.length, time: () => <ClockTime at={oldest.at} /> })}
    >
      <ol aria-label={t("list")} className="divide-y divide-line">
        {items.map((item) => (
          <TimelineEntry key={item.seq} item={item} onItsDay self={self} />
        ))}
      </ol>
    </Disclosure>
  );
}

type RestoreProps = {
  changes: readonly WebhookChange[];
  /** The entry's position. */
  seq: number;
  at: string;
};

/** Leads to the sheet that restores the address from before the entry; the sheet asks for confirmation. */
function EntryMenu({ changes, seq, at }: RestoreProps) {
  const t = useTranslations();
  const sheets = restoringSheets(addressesBefore(changes), `entry.${seq}`);
  if (sheets.length === 0) return null;
  return (
    <RowMenu label={t("history.menu")}>
      {sheets.map((sheet) => (
        <MenuLink key={sheet.type} href={at + searchWithSheet(new URLSearchParams(), sheet)}>
          {sheets.length > 1
            ? t("webhooks.card.restoreType", { type: t(`webhooks.types.${sheet.type}`) })
            : t("webhooks.card.restore")}
        </MenuLink>
      ))}
    </RowMenu>
  );
}
