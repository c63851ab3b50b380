"use client";

import { cn } from "@/components/ui/cn";
import { Sentences } from "@/components/ui/sentences";
import { usePersonName } from "@/components/ui/person-name";
import { RelativeTime, useDaysUntil } from "@/components/ui/time";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import { CircleDashed, Info, ShieldCheck, ShieldOff, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { soonDays, toneOf } from "@/lib/endpoint-check/model/verdict";

const looks = {
  ok: { style: "text-ok", icon: ShieldCheck },
  info: { style: "text-ink", icon: Info },
  bad: { style: "text-bad", icon: ShieldOff },
  warn: { style: "text-warn", icon: TriangleAlert },
  none: { style: "text-ink-3", icon: CircleDashed },
};
const dayMs = 24 * 60 * 60_000;

type LastCheckProps = {
  /** Null if the address was never checked. */
  check: EndpointCheck | null;
  /** Whether the check covers the current address and value. */
  current: boolean;
  /** Whether Gancho checks the address every day. */
  daily: boolean;
};

/** The last check of an address in one line: its verdict, when, by whom, and since when it is the same. */
export function LastCheck({ check, current, daily }: LastCheckProps) {
  const nameOf = usePersonName();
  const t = useTranslations("endpointCheck");
  const days = useDaysUntil(check?.tls?.certificate?.validTo ?? "");
  const forDays = check ? Math.floor((Date.parse(check.at) - Date.parse(check.since)) / dayMs) : 0;
  const { style, icon: Icon } = looks[check && current ? toneOf(check.verdict) : "none"];
  const time = () => <RelativeTime at={check?.at ?? ""} />;
  return (
    <div
      role="group"
      aria-label={t("last.label")}
      className="flex items-start gap-2 border-t border-line px-4 py-2.5 text-small text-ink-2 sm:px-5"
    >
      <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", style)} />
      <p className="min-w-0">
        {check ? (
          <>
            <Sentences
              of={[
                <span key="verdict" className={cn(current && `font-medium ${style}`)}>
                  {t(`verdict.${check.verdict}.title`)}
                </span>,
                check.by === null
                  ? t.rich(daily ? "last.at" : "last.byItself", { time })
                  : t.rich("last.checked", { time, name: nameOf(check.by) }),
                current && forDays > 0 ? `· ${t("last.for", { days: forDays })}` : null,
                daily ? `· ${t("last.daily")}` : null,
              ]}
            />
            {current && days < soonDays ? (
              <span className="block font-medium text-warn">
                {days < 0 ? t("last.expired") : t("last.days", { days })}
              </span>
            ) : null}
            {current ? null : (
              <span className="block font-medium text-warn">{t("last.outdated")}</span>
            )}
          </>
        ) : (
          t(daily ? "last.soon" : "last.never")
        )}
      </p>
    </div>
  );
}
