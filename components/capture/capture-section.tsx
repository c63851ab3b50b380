"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { ResultNotice } from "@/components/forms/result-notice";
import { useHere } from "@/components/layout/here";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Section } from "@/components/ui/section";
import { Sentences } from "@/components/ui/sentences";
import { AbsoluteTime } from "@/components/ui/time";
import { Address } from "@/components/webhooks/compare/address";
import { EditButton } from "@/components/webhooks/list/edit-button";
import { useCaptureSwitch } from "@/lib/capture/client/use-capture-switch";
import type { Capture, Captures } from "@/lib/capture/model/capture";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { CircleDashed } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ArrivalRow } from "./arrival-row";
import { SeenFacts } from "./seen-facts";

const { LazyPart: ConfirmDialog } = lazyPart(() =>
  import("@/components/ui/confirm-dialog").then((module) => module.ConfirmDialog),
);

type CaptureSectionProps = {
  captures: Captures;
  configuration: Configuration;
  maySwitch: boolean;
};

export function CaptureSection({ captures, configuration, maySwitch }: CaptureSectionProps) {
  const t = useTranslations("capture");
  const all = useTranslations();
  const { send, pending, failure } = useCaptureSwitch(useHere().ref);
  const [asked, setAsked] = useState<WebhookType | null>(null);

  async function switchOff(type: WebhookType) {
    await send({ type, on: false });
    setAsked(null);
  }

  return (
    <Section title={t("title")} text={captures.captures.length > 0 ? t("text") : t("none")}>
      {failure ? <ResultNotice result={{ failure, unreachable: t("unreachable") }} /> : null}
      {captures.captures.map((capture) => (
        <ReceivingAddress
          key={capture.type}
          capture={capture}
          isRegistered={webhookOf(configuration, capture.type)?.callbackUrl === capture.url}
          onSwitchOff={maySwitch ? () => setAsked(capture.type) : null}
        />
      ))}
      <SeenFacts facts={captures.facts} />
      {asked ? (
        <ConfirmDialog
          title={t("off.title", { type: all(`webhooks.types.${asked}`) })}
          confirmLabel={t("off.confirm")}
          tone="danger"
          pending={pending}
          onConfirm={() => void switchOff(asked)}
          onClose={() => setAsked(null)}
        >
          {t("off.text")}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

type ReceivingAddressProps = {
  capture: Capture;
  /** The payment service shows it. */
  isRegistered: boolean;
  onSwitchOff: (() => void) | null;
};

function ReceivingAddress({ capture, isRegistered, onSwitchOff }: ReceivingAddressProps) {
  const t = useTranslations("capture");
  const all = useTranslations();
  const { type, url, arrivals, since, expiresAt } = capture;
  const name = all(`webhooks.types.${type}`);
  return (
    <section
      aria-label={t("address", { type: name })}
      className="flex min-w-0 flex-col gap-3 border-t border-line pt-4"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="font-semibold">{name}</h3>
          <Badge
            tone={isRegistered ? "ok" : "neutral"}
            {...(!isRegistered && { icon: <CircleDashed aria-hidden /> })}
          >
            {t(isRegistered ? "registered" : "notRegistered")}
          </Badge>
        </div>
        <div className="flex flex-wrap gap-2">
          {isRegistered ? (
            <EditButton opens={{ mode: "edit", type, from: "own" }} size="sm">
              {t("move")}
            </EditButton>
          ) : null}
          {onSwitchOff ? (
            <Button size="sm" variant="ghost" onClick={onSwitchOff}>
              {t("off.button")}
            </Button>
          ) : null}
        </div>
      </div>
      <div className="flex items-center justify-between gap-2">
        <p className="min-w-0 text-ink-2">
          <Address url={url} />
        </p>
        <CopyButton text={url} label={t("copyAddress", { type: name })} />
      </div>
      <p className="text-small text-ink-3">
        <Sentences
          of={[
            t.rich("onUntil", { time: () => <AbsoluteTime at={expiresAt} ahead /> }),
            t("limits"),
          ]}
        />
      </p>
      <p aria-live="polite" className="text-small text-ink-2">
        {arrivals.length > 0 ? t("count", { count: arrivals.length }) : t("empty")}
      </p>
      {arrivals.length > 0 ? (
        <ol className="divide-y divide-line rounded-control border border-line">
          {arrivals.map((arrival) => (
            <ArrivalRow key={arrival.number} arrival={arrival} type={type} since={since} />
          ))}
        </ol>
      ) : null}
    </section>
  );
}
