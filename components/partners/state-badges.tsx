"use client";

import { useEnvironmentName } from "@/components/layout/nav/environment-name";
import { Badge } from "@/components/ui/badge";
import type { AttentionItem } from "@/lib/attention/model/answer";
import { stepsDone, toneOf } from "@/lib/attention/model/tone";
import type { AttentionLine } from "@/lib/attention/model/partners";
import { Ban, CircleSlash, Clock, Hourglass, Unplug, UserX } from "lucide-react";
import { useTranslations } from "next-intl";
import type { ReactElement } from "react";

const tones = { bad: "bad", warn: "warn", info: "neutral" } as const;

const icons: Partial<Record<AttentionItem["kind"], ReactElement>> = {
  certificate: <Clock aria-hidden />,
  not_connected: <Unplug aria-hidden />,
  not_read: <Clock aria-hidden />,
  old: <Clock aria-hidden />,
  not_registered: <CircleSlash aria-hidden />,
  no_second_person: <UserX aria-hidden />,
  waiting: <Hourglass aria-hidden />,
};

/** In one line where the table has columns: theirs is as wide as its widest badge. */
const inTable = "min-[1151px]:whitespace-nowrap";

/** What needs attention at a partner, each as an icon, a word and a colour. */
export function StateBadges({ partner }: { partner: AttentionLine }) {
  const t = useTranslations("partners.states");
  const wordsOf = useWords();
  const { suspended, attention } = partner;
  return (
    <span className="flex flex-wrap gap-1">
      {suspended ? (
        <Badge tone="bad" icon={<Ban aria-hidden />} className={inTable}>
          {t("suspended")}
        </Badge>
      ) : null}
      {attention.map((item, at) => (
        <Badge key={at} tone={tones[toneOf(item)]} icon={icons[item.kind]} className={inTable}>
          {wordsOf(item)}
        </Badge>
      ))}
      {!suspended && attention.length === 0 ? <Badge tone="ok">{t("healthy")}</Badge> : null}
    </span>
  );
}

function useWords(): (item: AttentionItem) => string {
  const t = useTranslations("partners");
  const environmentName = useEnvironmentName();
  return (item) => {
    switch (item.kind) {
      case "difference":
        return t(item.onlyValue ? "states.other_value" : "states.changed_outside");
      case "failing": {
        // Not every fault has words of its own.
        const key = `states.failing.${item.code}` as "states.failing.other";
        return t(t.has(key) ? key : "states.failing.other");
      }
      case "not_read":
        return t("states.not_checked");
      case "recovering":
        return t("states.recovering", { done: stepsDone(item.steps) });
      case "endpoint":
        return t("states.endpoint_fails");
      case "no_value":
        return t("states.no_authorization");
      case "not_registered": {
        const [type, other] = item.types;
        return type && !other
          ? t("states.type_missing", { type: t(`columns.${type}`) })
          : t("states.nothing_registered");
      }
      case "shared":
        return t("states.shared", { environment: environmentName(item.environment) });
      default:
        return t(`states.${item.kind}`);
    }
  };
}
