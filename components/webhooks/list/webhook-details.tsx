"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { useTranslations } from "next-intl";
import { Badge } from "@/components/ui/badge";
import { Chip } from "@/components/ui/chip";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import { EyeOff } from "lucide-react";
import { Address } from "@/components/webhooks/compare/address";
import { spacedFingerprint } from "@/components/webhooks/compare/use-authorization-words";

/** The card's subject: in full and large, the host first. */
export function CallbackAddress({ url, typeName }: { url: string; typeName: string }) {
  const t = useTranslations();
  return (
    <div className="flex items-center justify-between gap-2">
      <p className="min-w-0 text-base leading-6 text-ink-2 sm:text-[1.0625rem]">
        <Address url={url} />
      </p>
      <CopyButton text={url} label={t("webhooks.card.copyUrl", { type: typeName })} />
    </div>
  );
}

type AuthorizationValueProps = {
  value: ConfiguredWebhook["authorization"];
};

/** Set, not shown, or in doubt; never the value itself. */
export function AuthorizationValue({ value }: AuthorizationValueProps) {
  const t = useTranslations("webhooks.card");
  if (value.conflict)
    return <UncertainValue tone="warn" word={t("conflict")} hint={t("conflictHint")} />;
  if (value.hidden === "masked" || value.retype === "retype_not_shown")
    return <UncertainValue tone="neutral" word={t("notShown")} hint={t("notShownHint")} />;
  if (!value.set)
    return <UncertainValue tone="warn" word={t("noneShown")} hint={t("noneShownHint")} />;
  return (
    <div className="flex flex-col items-start gap-1">
      <SetValue fingerprint={value.fingerprint} />
      {value.retype === "retype_other_value" ? (
        <p className="text-small text-warn">{t("otherValueHint")}</p>
      ) : null}
    </div>
  );
}

type UncertainValueProps = { tone: "warn" | "neutral"; word: string; hint: string };

function UncertainValue({ tone, word, hint }: UncertainValueProps) {
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge tone={tone} {...(tone === "neutral" && { icon: <EyeOff aria-hidden /> })}>
        {word}
      </Badge>
      <p className="text-small text-ink-2">{hint}</p>
    </div>
  );
}

function SetValue({ fingerprint }: { fingerprint: string | null }) {
  const t = useTranslations("webhooks.card");
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span aria-hidden className="font-mono tracking-wider text-ink">
        ••••••••••••
      </span>
      <span className="sr-only">{t("authorizationSet")}</span>
      {fingerprint === null ? null : (
        <span title={t("fingerprint")}>
          <Chip>fp {spacedFingerprint(fingerprint)}</Chip>
        </span>
      )}
    </span>
  );
}

/** Null or empty: the service did not say. Gancho invents nothing in its place. */
export function EventChips({ events }: { events: readonly string[] | null }) {
  const t = useTranslations("webhooks.card");
  if (!events?.length) return <p className="text-ink-3">{t("eventsUnknown")}</p>;
  return (
    <ul className="flex flex-wrap gap-1.5">
      {events.map((event, index) => (
        <li key={`${event}-${index}`} className="min-w-0">
          <Chip>{event}</Chip>
        </li>
      ))}
    </ul>
  );
}
