"use client";

import { Badge } from "@/components/ui/badge";
import type { PartnerLine } from "@/lib/partners/model/page";
import { statesOf, type PartnerState } from "@/lib/partners/model/partner-state";
import { Ban, CircleSlash, Clock, Unplug } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ComponentProps, ReactNode } from "react";

type Look = { tone: ComponentProps<typeof Badge>["tone"]; icon?: ReactNode };

const looks: Record<PartnerState["kind"], Look> = {
  suspended: { tone: "bad", icon: <Ban aria-hidden /> },
  failing: { tone: "bad" },
  not_connected: { tone: "neutral", icon: <Unplug aria-hidden /> },
  // The same tone as on the Overview.
  changed_outside: { tone: "warn" },
  other_value: { tone: "warn" },
  not_checked: { tone: "neutral", icon: <Clock aria-hidden /> },
  nothing_registered: { tone: "neutral", icon: <CircleSlash aria-hidden /> },
  type_missing: { tone: "warn" },
  unclear: { tone: "warn" },
  no_authorization: { tone: "warn" },
  endpoint_fails: { tone: "bad" },
  healthy: { tone: "ok" },
};

/** All states of a partner, each as an icon, a word and a colour. */
export function StateBadges({ partner }: { partner: PartnerLine }) {
  const t = useTranslations("partners");
  const wordOf = (state: PartnerState) => {
    if (state.kind === "failing") {
      // Not every fault has words of its own.
      const key = `states.failing.${state.code}` as "states.failing.other";
      return t(t.has(key) ? key : "states.failing.other");
    }
    return state.kind === "type_missing"
      ? t("states.type_missing", { type: t(`columns.${state.type}`) })
      : t(`states.${state.kind}`);
  };
  return (
    <span className="flex flex-wrap gap-1">
      {statesOf(partner).map((state) => (
        <Badge key={wordOf(state)} {...looks[state.kind]} className="whitespace-nowrap">
          {wordOf(state)}
        </Badge>
      ))}
    </span>
  );
}
