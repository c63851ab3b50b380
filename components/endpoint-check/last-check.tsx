"use client";

import { cn } from "@/components/ui/cn";
import { usePersonName } from "@/components/ui/person-name";
import { RelativeTime, useDaysUntil } from "@/components/ui/time";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import { useTranslations } from "next-intl";
import { soonDays, toneOf } from "./verdict-tone";

const styles = { ok: "text-ok", info: "text-ink", bad: "text-bad", warn: "text-warn" };
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
  const time = () => <RelativeTime at={check?.at ?? ""} />;
  return (
    <p
      role="group"
      aria-label={t("last.label")}
      className="border-t border-line bg-sunken px-4 py-2 text-small text-ink-2 sm:px-5"
    >
      {check ? (
        <>
          <span className={cn(current && `font-medium ${styles[toneOf(check.verdict)]}`)}>
            {t(`verdict.${check.verdict}.title`)}
          </span>{" "}
          {check.by === null
            ? t.rich("last.byGancho", { time })
            : t.rich("last.checked", { time, name: nameOf(check.by) })}
          {current && forDays > 0 ? ` · ${t("last.for", { days: forDays })}` : null}
          {daily ? ` · ${t("last.daily")}` : null}
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
  );
}
