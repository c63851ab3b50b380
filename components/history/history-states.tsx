import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import type { HistoryScope } from "@/lib/history/model/show";
import { History, MapPinOff, SearchX } from "lucide-react";
import { useTranslations } from "next-intl";

/** Nothing was ever recorded here. */
export function NoHistory({ scope }: { scope: HistoryScope }) {
  const t = useTranslations("timeline.empty");
  const text = t(scope === "partner" ? "text" : "people");
  return <EmptyState icon={<History aria-hidden />} title={t("title")} text={text} />;
}

/** `olderHref`: what was looked through so far is not all there is. */
export function NothingFits({
  clearHref,
  olderHref,
}: {
  clearHref: string;
  olderHref: string | null;
}) {
  const t = useTranslations("timeline");
  return olderHref ? (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t("empty.notYet")}
      text={t("empty.notYetText")}
      action={<ButtonLink href={olderHref}>{t("empty.goOn")}</ButtonLink>}
    />
  ) : (
    <EmptyState
      icon={<SearchX aria-hidden />}
      title={t("empty.filtered")}
      text={t("empty.filteredText")}
      action={<ButtonLink href={clearHref}>{t("filters.clear")}</ButtonLink>}
    />
  );
}

/** The cursor in the address was not issued for this history. */
export function InvalidCursor({ newestHref }: { newestHref: string }) {
  const t = useTranslations("timeline.cursor");
  return (
    <EmptyState
      icon={<MapPinOff aria-hidden />}
      title={t("title")}
      text={t("text")}
      action={<ButtonLink href={newestHref}>{t("newest")}</ButtonLink>}
    />
  );
}
