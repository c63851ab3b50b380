"use client";

import { Sentences } from "@/components/ui/sentences";
import { RelativeTime, useIsLongAgo } from "@/components/ui/time";
import { cn } from "@/components/ui/cn";
import { oldAfterMs } from "@/lib/webhooks/client/query";
import type { useConfiguration } from "@/lib/webhooks/client/use-configuration";
import { TriangleAlert } from "lucide-react";
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
  // The time stands at the same place in each of them, and the sign before it.
  const words = isAwaited || (aged && asking) ? "asking" : old ? "notConfirmed" : "confirmed";
  return (
    // Room for the longest words, and a line of its own on a phone: nothing moves as they change.
    <p
      className={cn(
        "relative text-small max-sm:basis-full sm:min-w-56",
        old ? "text-warn" : "text-ink-3",
      )}
    >
      {old ? <TriangleAlert aria-hidden className="absolute top-0.5 -left-4 size-3.5" /> : null}
      <Sentences of={[t.rich(words, { time })]} />
    </p>
  );
}
