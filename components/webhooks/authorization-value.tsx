"use client";

import { Badge } from "@/components/ui/badge";
import { Chip } from "@/components/ui/chip";
import type { ConfiguredWebhook } from "@/lib/webhooks/configuration";
import { useTranslations } from "next-intl";
import { spacedFingerprint } from "./fingerprint";

/** Set, not set, or in doubt; never the value itself. */
export function AuthorizationValue({ value }: { value: ConfiguredWebhook["authorization"] }) {
  const t = useTranslations("webhooks.card");
  if (value.conflict) {
    return (
      <div className="flex flex-col items-start gap-1">
        <Badge tone="warn">{t("conflict")}</Badge>
        <p className="text-small text-ink-2">{t("conflictHint")}</p>
      </div>
    );
  }
  if (!value.set) {
    return (
      <Badge tone="warn" className="self-start">
        {t("unset")}
      </Badge>
    );
  }
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span aria-hidden className="font-mono tracking-wider text-ink">
        ••••••••••••
      </span>
      <span className="sr-only">{t("authorizationSet")}</span>
      {value.fingerprint === null ? null : (
        <span title={t("fingerprint")}>
          <Chip>fp {spacedFingerprint(value.fingerprint)}</Chip>
        </span>
      )}
    </span>
  );
}
