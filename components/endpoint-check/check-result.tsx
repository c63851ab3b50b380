"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { cn } from "@/components/ui/cn";
import { Notice } from "@/components/ui/notice";
import type { useEndpointCheck } from "@/lib/endpoint-check/client/use-check";
import type { EndpointCheck } from "@/lib/endpoint-check/model/check";
import { CircleCheck, CircleMinus, CircleX, Info, ShieldCheck, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type StepTone, useSteps } from "./step-words";
import { toneOf } from "./verdict-tone";

const marks: Record<StepTone, { icon: typeof Info; style: string }> = {
  ok: { icon: CircleCheck, style: "text-ok" },
  warn: { icon: TriangleAlert, style: "text-warn" },
  bad: { icon: CircleX, style: "text-bad" },
  skipped: { icon: CircleMinus, style: "text-ink-3" },
  info: { icon: Info, style: "text-ink-3" },
};

type CheckStatusProps = {
  check: ReturnType<typeof useEndpointCheck>;
  /** The check's result; null if it does not match what the screen shows. */
  result: EndpointCheck | null;
  demo: boolean;
};

/** The progress or the outcome of a check. */
export function CheckStatus({ check: { pending, failure }, result, demo }: CheckStatusProps) {
  const t = useTranslations("endpointCheck");
  return (
    <div role="status" aria-busy={pending} className="flex flex-col gap-5">
      {pending ? (
        <p className="text-ink-2">{t("running")}</p>
      ) : (
        <FailureNotice failure={failure} title={t("failed")} unreachable={t("unreachable")} />
      )}
      {result ? <CheckResult check={result} demo={demo} /> : null}
    </div>
  );
}

/** The result of a check: its steps with their times, the verdict, and what was sent. */
export function CheckResult({ check, demo }: { check: EndpointCheck; demo: boolean }) {
  const t = useTranslations("endpointCheck");
  const stepsOf = useSteps();
  const tone = toneOf(check.verdict);
  return (
    <div className="flex flex-col gap-5">
      <ol className="flex flex-col divide-y divide-line">
        {stepsOf(check, demo).map(({ id, tone, title, details, ms }) => {
          const { icon: Icon, style } = marks[tone];
          return (
            <li key={id} className="flex items-start gap-3 py-3 first:pt-0">
              <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", style)} />
              <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <p className="font-semibold">
                  {tone === "info" ? null : <span className="sr-only">{t(`step.${tone}`)}: </span>}
                  {title}
                </p>
                {details.map((detail) => (
                  <p key={detail} className="text-small text-ink-2">
                    {detail}
                  </p>
                ))}
              </div>
              {ms === null ? null : (
                <p className="shrink-0 font-mono text-small text-ink-2">{t("step.ms", { ms })}</p>
              )}
            </li>
          );
        })}
      </ol>
      <Notice
        tone={tone}
        title={t(`verdict.${check.verdict}.title`)}
        {...(tone === "ok" && { icon: <ShieldCheck aria-hidden /> })}
      >
        {t(`verdict.${check.verdict}.text`)}
      </Notice>
      {check.without ? (
        <section className="flex flex-col gap-2">
          <h3 className="font-semibold">{t("sent.heading")}</h3>
          <div className="overflow-hidden rounded-control border border-line">
            <p className="border-b border-line bg-sunken px-3 py-1.5 text-small text-ink-2">
              {t(check.with ? "sent.both" : "sent.without")}
            </p>
            <pre className="overflow-x-auto px-3 py-2 font-mono text-small [overflow-wrap:anywhere] whitespace-pre-wrap">
              {indented(check.sent)}
            </pre>
          </div>
          <p className="text-small text-ink-2">{t("sent.note")}</p>
        </section>
      ) : null}
    </div>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
