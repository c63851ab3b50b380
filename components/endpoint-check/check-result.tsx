"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { cn } from "@/components/ui/cn";
import { Disclosure } from "@/components/ui/disclosure";
import { Sentences } from "@/components/ui/sentences";
import { Notice } from "@/components/ui/notice";
import type { useEndpointCheck } from "@/lib/endpoint-check/client/use-check";
import type { CheckAnswer, EndpointCheck } from "@/lib/endpoint-check/model/check";
import { CircleCheck, CircleMinus, CircleX, Info, ShieldCheck, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";
import { type StepTone, useSteps } from "./step-words";
import { toneOf } from "@/lib/endpoint-check/model/verdict";

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
  /** Its steps are shown on request: it stands below a field. */
  folded?: boolean;
};

/** The progress or the outcome of a check. */
export function CheckStatus(props: CheckStatusProps) {
  const { check, result, demo, folded = false } = props;
  const { pending, failure } = check;
  const t = useTranslations("endpointCheck");
  return (
    <div role="status" aria-busy={pending} className="flex flex-col gap-5">
      {pending ? (
        <p className="text-ink-2">{t("running")}</p>
      ) : (
        <FailureNotice failure={failure} title={t("failed")} unreachable={t("unreachable")} />
      )}
      {result ? <CheckResult check={result} demo={demo} folded={folded} /> : null}
    </div>
  );
}

type CheckResultProps = { check: EndpointCheck; demo: boolean; folded?: boolean };

/** The result of a check: the verdict, what it cannot say, the steps with their times, and what was sent. */
export function CheckResult({ check, demo, folded = false }: CheckResultProps) {
  const t = useTranslations("endpointCheck");
  const tone = toneOf(check.verdict);
  const seenIn = useSeen();
  const steps = <CheckSteps check={check} demo={demo} />;
  return (
    <div className="flex flex-col gap-5">
      <Notice
        tone={tone}
        title={t(`verdict.${check.verdict}.title`)}
        {...(tone === "ok" && { icon: <ShieldCheck aria-hidden /> })}
      >
        <Sentences of={[seenIn(check), t(`verdict.${check.verdict}.text`)]} />
      </Notice>
      <p className="text-small text-ink-2">{t("caveat")}</p>
      {folded ? <Disclosure summary={t("steps")}>{steps}</Disclosure> : steps}
    </div>
  );
}

/** What was answered, or what happened instead. */
function useSeen(): (check: EndpointCheck) => string {
  const t = useTranslations("endpointCheck");
  const wordFor = (answer: CheckAnswer | null) => String(answer?.status ?? t("answers.none"));
  return ({ dns, tls, without, with: withValue }) => {
    const failure = dns.failure ?? tls?.failure;
    if (failure) return t(`failure.${failure}`);
    const words = { without: wordFor(without), with: wordFor(withValue) };
    return withValue ? t("answers.both", words) : t("answers.without", words);
  };
}

function CheckSteps({ check, demo }: { check: EndpointCheck; demo: boolean }) {
  const t = useTranslations("endpointCheck");
  const stepsOf = useSteps();
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
                  {tone === "info" ? null : (
                    <span className="sr-only">{`${t(`step.${tone}`)}: `}</span>
                  )}
                  <span>{title}</span>
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
      {check.without ? (
        <section className="flex flex-col gap-2">
          <h3 className="font-semibold">{t("sent.heading")}</h3>
          <div className="overflow-hidden rounded-control border border-line">
            <p className="border-b border-line bg-sunken px-3 py-1.5 text-small text-ink-2">
              {t(check.with ? "sent.both" : "sent.without")}
            </p>
            <pre
              translate="no"
              className="overflow-x-auto px-3 py-2 font-mono text-small [overflow-wrap:anywhere] whitespace-pre-wrap"
            >
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
