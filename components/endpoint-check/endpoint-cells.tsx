"use client";

import { usePersonName } from "@/components/ui/person-name";
import { cn } from "@/components/ui/cn";
import { RelativeTime } from "@/components/ui/time";
import type { EndpointCheck, Verdict } from "@/lib/endpoint-check/model/check";
import {
  Globe,
  Lock,
  Shield,
  ShieldAlert,
  ShieldCheck,
  Timer,
  type LucideIcon,
} from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";

/** Days before expiry from which a certificate needs attention. */
export const soonDays = 21;

type Tone = "ok" | "warn" | "bad" | "neutral";

const tones: Record<Tone, string> = {
  ok: "text-ok",
  warn: "text-warn",
  bad: "text-bad",
  neutral: "text-ink",
};

type EndpointCellsProps = {
  /** The last one; null: there was none. */
  check: EndpointCheck | null;
  /** The check covers this address and this value. */
  current: boolean;
};

/** The last check of an address at a glance: name, certificate, answer, header, and when. */
export function EndpointCells({ check, current }: EndpointCellsProps) {
  const nameOf = usePersonName();
  const t = useTranslations("endpointCheck.cells");
  const cells = useCells();
  if (!check) {
    return (
      <p className="border-t border-line bg-sunken px-4 py-2 text-small text-ink-2 sm:px-5">
        {t("never")}
      </p>
    );
  }
  return (
    <div role="group" aria-label={t("label")} className="border-t border-line bg-sunken">
      <dl className="grid grid-cols-2 sm:grid-cols-4">
        {cells(check).map(({ id, icon: Icon, label, value, tone }) => (
          <div
            key={id}
            className="min-w-0 border-line px-3 py-2.5 not-first:border-l max-sm:nth-3:border-l-0 max-sm:nth-[n+3]:border-t"
          >
            <dt className="flex items-center gap-1.5 text-xs text-ink-2">
              <Icon aria-hidden className="size-3.5 shrink-0" />
              {label}
            </dt>
            <dd
              className={cn(
                "text-small [overflow-wrap:anywhere]",
                // Faded by weight and colour, but still legible.
                current ? `font-semibold ${tones[tone]}` : "text-ink-2",
              )}
            >
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <p className="border-t border-line px-3 py-1.5 text-xs text-ink-2">
        {t.rich("checked", { time: () => <RelativeTime at={check.at} />, name: nameOf(check.by) })}
        {current ? null : <span className="block font-medium text-warn">{t("outdated")}</span>}
      </p>
    </div>
  );
}

const headers: Partial<
  Record<
    Verdict,
    readonly [
      Tone,
      (
        | "headerEnforced"
        | "headerNotEnforced"
        | "headerRefusesWithout"
        | "headerValueRefused"
        | "headerValueMissing"
        | "headerUnclear"
      ),
    ]
  >
> = {
  enforced: ["ok", "headerEnforced"],
  not_enforced: ["bad", "headerNotEnforced"],
  refuses_without: ["neutral", "headerRefusesWithout"],
  value_refused: ["bad", "headerValueRefused"],
  value_missing: ["bad", "headerValueMissing"],
  unclear: ["warn", "headerUnclear"],
};

type Cell = { id: string; icon: LucideIcon; label: string; value: string; tone: Tone };

function useCells(): (check: EndpointCheck) => Cell[] {
  const t = useTranslations("endpointCheck.cells");
  const duration = useDuration();

  function dns({ dns: { addresses, failure } }: EndpointCheck): Pick<Cell, "value" | "tone"> {
    if (failure === "name_not_found" || failure === "name_failed")
      return { value: t("failed"), tone: "bad" };
    if (failure) return { value: t("refusedHere"), tone: "warn" };
    const value = addresses ? t("addresses", { count: addresses.length }) : t("proxy");
    return { value, tone: "neutral" };
  }

  function tls({ tls: found }: EndpointCheck): Pick<Cell, "value" | "tone"> {
    if (!found) return { value: t("headerUnknown"), tone: "neutral" };
    if (found.failure) return { value: t("failed"), tone: "bad" };
    const days = found.certificate?.daysLeft;
    return days === undefined
      ? { value: t("headerUnknown"), tone: "neutral" }
      : {
          value: t("days", { days: Math.max(0, days) }),
          tone: days < soonDays ? "warn" : "neutral",
        };
  }

  function answer({ with: withValue, without }: EndpointCheck): Pick<Cell, "value" | "tone"> {
    const shown = withValue ?? without;
    if (!shown) return { value: t("none"), tone: "neutral" };
    if (shown.status === null) return { value: t("none"), tone: "bad" };
    const value = t("answered", { status: String(shown.status), time: duration(shown.ms) });
    const isExpected = shown.status < 300 || (!withValue && [401, 403].includes(shown.status));
    return { value, tone: isExpected && shown.ms < 1_500 ? "neutral" : "warn" };
  }

  return (check) => {
    const [tone, word] = headers[check.verdict] ?? (["neutral", "headerUnknown"] as const);
    const version = check.tls?.version?.replace(/^TLSv/, "TLS ") ?? t("tls");
    const shield = { ok: ShieldCheck, bad: ShieldAlert, warn: Shield, neutral: Shield }[tone];
    return [
      { id: "dns", icon: Globe, label: t("dns"), ...dns(check) },
      { id: "tls", icon: Lock, label: version, ...tls(check) },
      { id: "answer", icon: Timer, label: t("answer"), ...answer(check) },
      { id: "header", icon: shield, label: t("header"), value: t(word), tone },
    ];
  };
}

/** "182 ms", or "1.9 s". */
function useDuration(): (ms: number) => string {
  const format = useFormatter();
  return (ms) =>
    ms < 1_000 ? `${ms} ms` : `${format.number(ms / 1_000, { maximumFractionDigits: 1 })} s`;
}
