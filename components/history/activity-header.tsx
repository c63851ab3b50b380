import { ChevronLeft } from "lucide-react";
import { useTranslations } from "next-intl";
import Link from "next/link";
import type { ReactNode } from "react";

/** Of the operators' page about the people of the installation. */
export function ActivityHeader({ actions }: { actions: ReactNode }) {
  const t = useTranslations("timeline.activity");
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <Link
          href="/installation"
          className="mb-1 inline-flex items-center gap-1 rounded-control text-small text-ink-2 hover:text-ink"
        >
          <ChevronLeft aria-hidden className="size-4" />
          {t("back")}
        </Link>
        <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
        <p className="mt-1 text-pretty text-ink-2">{t("intro")}</p>
      </div>
      {actions}
    </div>
  );
}
