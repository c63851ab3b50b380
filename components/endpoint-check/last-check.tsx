"use client";

import { cn } from "@/components/ui/cn";
import { usePersonName } from "@/components/ui/person-name";
import { RelativeTime } from "@/components/ui/time";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import { useTranslations } from "next-intl";
import { soonDays, toneOf } from "./verdict-tone";

const styles = { ok: "text-ok", info: "text-ink", bad: "text-bad", warn: "text-warn" };

type LastCheckProps = {
  /** null: there was none. */
  check: EndpointCheck | null;
  /** The check covers this address and this value. */
  current: boolean;
};

/** The last check of an address in one line: what it found, when, and by whom. */
export function LastCheck({ check, current }: LastCheckProps) {
  const nameOf = usePersonName();
  const t = useTranslations("endpointCheck");
  const days = check?.tls?.certificate?.daysLeft ?? soonDays;
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
          {days < soonDays ? (
            <span className="font-medium text-warn">
              {t("last.days", { days: Math.max(0, days) })}{" "}
            </span>
          ) : null}
          {t.rich("last.checked", {
            time: () => <RelativeTime at={check.at} />,
            name: nameOf(check.by),
          })}
          {current ? null : (
            <span className="block font-medium text-warn">{t("last.outdated")}</span>
          )}
        </>
      ) : (
        t("last.never")
      )}
    </p>
  );
}
