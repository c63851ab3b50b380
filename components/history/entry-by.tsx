import { AbsoluteTime } from "@/components/ui/time";
import type { HistoryItem } from "@/lib/history/model/item";
import { useTranslations } from "next-intl";

type EntryByProps = {
  item: HistoryItem;
  /** Whoever looks at their own entries: they need not be told that it was they. */
  self?: string | undefined;
};

/** When, who, and from where. */
export function EntryBy({ item, self }: EntryByProps) {
  const t = useTranslations("timeline.by");
  const isOwn = self !== undefined && item.actor?.id === self;
  return (
    <div className="flex min-w-0 flex-wrap gap-x-2 text-small text-ink-3 sm:flex-col sm:items-end sm:text-right">
      <AbsoluteTime at={item.at} />
      {isOwn ? null : (
        <span className="max-w-full min-w-0 [overflow-wrap:anywhere] text-ink-2">
          <Who item={item} />
        </span>
      )}
      {item.clientAddress ? (
        <span className="max-w-full min-w-0 [overflow-wrap:anywhere]">
          {t("from", { address: item.clientAddress })}
        </span>
      ) : null}
    </div>
  );
}

function Who({ item: { actor, kind, outcome } }: { item: HistoryItem }) {
  const t = useTranslations("timeline.by");
  // Whose account it was is known; whether it was they is not.
  if (kind === "sign_in_refused")
    return actor ? t("atAccount", { name: actor.name }) : t("nobodyKnown");
  if (actor) return actor.name;
  // Anybody can ask for one on the sign-in page.
  if (kind === "password_link_made" && outcome === "asked") return t("nobodyKnown");
  if (kind === "changed_outside") return <span title={t("outsideHint")}>{t("outside")}</span>;
  return atTheTerminal.has(kind) ? t("terminal") : t("gancho");
}

const atTheTerminal: ReadonlySet<string> = new Set([
  "one_time_codes_reset",
  "account_unlinked",
  "password_link_made",
  "staff_added",
  "four_eyes_changed",
]);
