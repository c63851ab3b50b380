"use client";

import { Fact as Named } from "@/components/ui/fact";
import { Sentences } from "@/components/ui/sentences";
import { AbsoluteTime } from "@/components/ui/time";
import type { Fact } from "@/lib/capture/model/capture";
import { webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { useFormatter, useTranslations } from "next-intl";

/** What messages have shown of how the service sends them: each with how often, and since when. */
export function SeenFacts({ facts }: { facts: readonly Fact[] }) {
  const t = useTranslations("capture.facts");
  const all = useTranslations();
  const durationOf = useDuration();
  if (facts.length === 0) return null;
  return (
    <section aria-label={t("title")} className="flex flex-col gap-3 border-t border-line pt-4">
      <h3 className="font-semibold">{t("title")}</h3>
      <dl className="grid gap-4 md:grid-cols-2">
        {webhookTypes.map((type) => {
          const own = facts.filter((fact) => fact.type === type);
          if (own.length === 0) return null;
          return (
            <Named key={type} name={all(`webhooks.types.${type}`)}>
              <ul className="flex flex-col gap-1.5">
                {own.map((fact) => (
                  <li key={`${fact.fact} ${fact.value}`} className="text-pretty text-ink-2">
                    <Sentences
                      of={[
                        t.rich(fact.fact, {
                          value: fact.value,
                          data: (chunks) => (
                            <span translate="no" className="font-mono text-[0.8125rem] text-ink">
                              {chunks}
                            </span>
                          ),
                          least: durationOf(fact.leastMs ?? 0),
                          most: durationOf(fact.mostMs ?? 0),
                          isRange: String(
                            durationOf(fact.leastMs ?? 0) !== durationOf(fact.mostMs ?? 0),
                          ),
                        }),
                        t.rich("seen", {
                          times: fact.times,
                          time: () => <AbsoluteTime at={fact.firstAt} />,
                        }),
                      ]}
                    />
                  </li>
                ))}
              </ul>
            </Named>
          );
        })}
      </dl>
      <p className="text-small text-ink-3">{t("note")}</p>
    </section>
  );
}

const steps = [
  ["millisecond", 1, 1_000],
  ["second", 1_000, 120_000],
  ["minute", 60_000, 7_200_000],
  ["hour", 3_600_000, 172_800_000],
  ["day", 86_400_000, Infinity],
] as const;

/** "850 ms", "14 s", "3 min", in the reader's language. */
function useDuration(): (ms: number) => string {
  const format = useFormatter();
  return (ms) => {
    const [unit, length] = steps.find(([, , below]) => ms < below) ?? steps[0];
    return format.number(Math.round(ms / length), { style: "unit", unit, unitDisplay: "short" });
  };
}
