"use client";

import { cn } from "@/components/ui/cn";
import { partnerStatuses, type PartnerStatus } from "@/lib/partners/model/page";
import { Check } from "lucide-react";
import { useTranslations } from "next-intl";

type StatusFilterProps = {
  value: PartnerStatus | null;
  onChange: (value: PartnerStatus | null) => void;
};

/** One at a time; pressed again, it shows all. */
export function StatusFilter({ value, onChange }: StatusFilterProps) {
  const t = useTranslations("partners");
  return (
    <div role="group" aria-label={t("filters")} className="flex flex-wrap gap-2">
      {partnerStatuses.map((status) => {
        const pressed = status === value;
        return (
          <button
            key={status}
            type="button"
            aria-pressed={pressed}
            onClick={() => onChange(pressed ? null : status)}
            className={cn(
              "inline-flex min-h-10 items-center gap-2 rounded-control border px-3 text-small font-medium transition-colors [&>svg]:size-4",
              pressed
                ? "border-brand bg-brand-soft text-brand"
                : "border-line-strong bg-surface text-ink hover:bg-hover",
            )}
          >
            {pressed ? <Check aria-hidden /> : null}
            {t(`statuses.${status}`)}
          </button>
        );
      })}
    </div>
  );
}
