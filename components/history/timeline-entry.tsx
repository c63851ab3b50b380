import { Badge } from "@/components/ui/badge";
import { ChangeDiff } from "@/components/webhooks/compare/diff-block";
import type { WebhookChange } from "@/lib/history/model/entry";
import type { CheckedItem } from "@/lib/history/model/item";
import { sameShownVersion, shownVersionInHistory } from "@/lib/webhooks/model/compare";
import { Check, ShieldAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { EntryBy } from "./entry-by";
import { EntryIcon } from "./entry-icon";
import { tellEntry } from "./entry-words";

type TimelineEntryProps = {
  item: CheckedItem;
  /** Whoever looks at their own entries. */
  self?: string;
};

/** What happened, what is different since, why, and who, when and from where. */
export function TimelineEntry({ item, self }: TimelineEntryProps) {
  const t = useTranslations();
  const told = tellEntry(item, t);
  const failed = told.tone === "bad" || told.asked !== undefined;
  return (
    <li className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-1 py-4 sm:grid-cols-[auto_minmax(0,1fr)_11rem] sm:gap-x-4 lg:grid-cols-[auto_minmax(0,1fr)_14rem]">
      <EntryIcon told={told} />
      <div className="flex min-w-0 flex-col gap-2 pt-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1 [overflow-wrap:anywhere]">
          {told.said}
          {told.readBack ? (
            <Badge tone="neutral" icon={<Check aria-hidden />}>
              {t("timeline.readBack")}
            </Badge>
          ) : null}
          {item.intact ? null : (
            <Badge tone="bad" icon={<ShieldAlert aria-hidden />}>
              {t("timeline.altered.mark")}
            </Badge>
          )}
        </p>
        <Diffs changes={told.changes ?? []} named={item.types.length > 1} />
        {told.notes?.map((note) => (
          <p key={note} className="max-w-prose [overflow-wrap:anywhere] text-ink-2">
            {note}
          </p>
        ))}
        {told.asked && told.asked.length > 0 ? (
          <details>
            <summary className="w-fit rounded-control text-small font-medium text-brand">
              {t("timeline.asked")}
            </summary>
            <div className="mt-2">
              <Diffs changes={told.asked} named={item.types.length > 1} />
            </div>
          </details>
        ) : null}
        {failed && item.requestId ? (
          <p className="text-small text-ink-3">
            {t("timeline.request", { requestId: item.requestId })}
          </p>
        ) : null}
      </div>
      <div className="max-sm:col-start-2 sm:pt-1">
        <EntryBy item={item} self={self} />
      </div>
    </li>
  );
}

type DiffsProps = {
  changes: readonly WebhookChange[];
  /** The entry is about several types, so each block says which one it is about. */
  named: boolean;
};

/** One block a type that differs. */
function Diffs({ changes, named }: DiffsProps) {
  const different = changes.filter(({ before, after }) => {
    const [was, is] = [shownVersionInHistory(before), shownVersionInHistory(after)];
    return was?.url !== is?.url || !sameShownVersion(was, is);
  });
  if (different.length === 0) return null;
  return (
    <div className="flex max-w-2xl flex-col gap-2">
      {different.map((change) => (
        <ChangeDiff key={change.type} change={change} named={named} brief />
      ))}
    </div>
  );
}
