"use client";

import { Sentences } from "@/components/ui/sentences";
import { RelativeTime, useIsLongAgo } from "@/components/ui/time";
import { oldAfterMs } from "@/lib/webhooks/client/query";
import type { useConfiguration } from "@/lib/webhooks/client/use-configuration";
import { useTranslations } from "next-intl";

type ReadAgeProps = Pick<
  ReturnType<typeof useConfiguration>,
  "configuration" | "old" | "asking" | "isAwaited"
>;

/** When the payment service was last read, and whether it is being read now. */
export function ReadAge({ configuration, old, asking, isAwaited }: ReadAgeProps) {
  const t = useTranslations("webhooks");
  const aged = useIsLongAgo(configuration.confirmedAt, oldAfterMs);
  const time = () => <RelativeTime at={configuration.confirmedAt} />;
  const words =
    isAwaited || (aged && asking) ? "asking" : old || aged ? "lastConfirmed" : "confirmed";
  return (
    // As wide as while the service is asked, so that nothing moves when it has answered.
    <p className="text-small text-ink-3 max-sm:order-last max-sm:basis-full sm:min-w-56 print:block">
      <Sentences of={[t.rich(words, { time })]} />
    </p>
  );
}
