import type { Health } from "@/lib/installation/model/health";
import { TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";

/** What each encryption key is still needed for, so that none is taken away too early, nor kept for nothing. */
export function KeysFact({ keys }: { keys: Health["keys"] }) {
  const t = useTranslations("installation.health");
  return (
    <div className="min-w-0 sm:col-span-2 lg:col-span-3">
      <dt className="text-small text-ink-3">{t("keys")}</dt>
      {keys.map(({ id, standing, partners, people }) => (
        <dd key={id} className="flex flex-wrap items-center gap-x-2 [overflow-wrap:anywhere]">
          <span className="font-mono text-small">{id}</span>
          {standing === "missing" ? (
            <TriangleAlert aria-hidden className="size-4 text-warn" />
          ) : null}
          <span>
            {t(`standing.${standing}`, { count: partners, people: people ? "yes" : "no" })}
          </span>
        </dd>
      ))}
    </div>
  );
}
