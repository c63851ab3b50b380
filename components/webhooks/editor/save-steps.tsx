"use client";

import { useHere } from "@/components/layout/here";
import { Spinner } from "@/components/ui/button";
import { saveStepQuery } from "@/lib/webhooks/client/save-step";
import { saveSteps } from "@/lib/webhooks/model/configuration";
import { useQuery } from "@tanstack/react-query";
import { Check, Circle } from "lucide-react";
import { useTranslations } from "next-intl";

const shown = [...saveSteps, "confirmed"] as const;

/**
 * How far the save in progress is, as its server reports. Without a report no step is marked as current. The result, not this list,
 * shows that the last step was reached.
 */
export function SaveSteps({ operation }: { operation: string }) {
  const t = useTranslations("webhooks.sheet");
  const { data: step } = useQuery(saveStepQuery(useHere().ref, operation));
  const at = step === null ? -1 : shown.indexOf(step);
  return (
    <>
      <span>{step === null ? t("saving") : t(`steps.now.${step}`)}</span>
      <ol aria-hidden className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1">
        {shown.map((each, index) => (
          <li
            key={each}
            className={`flex items-center gap-1.5 ${index === at ? "font-medium text-ink" : index < at ? "text-ok" : "text-ink-3"}`}
          >
            <span className="[&>svg]:size-3.5">
              {index < at ? <Check /> : index === at ? <Spinner /> : <Circle />}
            </span>
            {t(`steps.${each}`)}
          </li>
        ))}
      </ol>
    </>
  );
}
