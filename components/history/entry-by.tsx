import { AbsoluteTime } from "@/components/ui/time";
import type { HistoryItem } from "@/lib/history/view/item";
import { useTranslations } from "next-intl";

/** When, who, and from where. */
export function EntryBy({ item }: { item: HistoryItem }) {
  const t = useTranslations("timeline.by");
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2 text-small text-ink-3 sm:flex-col sm:items-end sm:text-right">
      <AbsoluteTime at={item.at} />
      <span className="max-w-full min-w-0 [overflow-wrap:anywhere] text-ink-2">
        {item.actor ? (
          item.actor.name
        ) : item.kind === "changed_outside" ? (
          <span title={t("outsideHint")}>{t("outside")}</span>
        ) : (
          t("gancho")
        )}
      </span>
      {item.clientAddress ? (
        <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
          {t("from", { address: item.clientAddress })}
        </span>
      ) : null}
    </div>
  );
}
