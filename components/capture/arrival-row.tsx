"use client";

import { useHere } from "@/components/layout/here";
import { Code } from "@/components/receiver-kit/code";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { Chip } from "@/components/ui/chip";
import { Fact } from "@/components/ui/fact";
import { AbsoluteTime } from "@/components/ui/time";
import { bodyQuery } from "@/lib/capture/client/query";
import type { Arrival, Body } from "@/lib/capture/model/capture";
import { prettyJson } from "@/lib/capture/model/pretty";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { useQuery } from "@tanstack/react-query";
import { Activity, ChevronRight, CircleDashed, Download } from "lucide-react";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";

const tones = {
  equal: "ok",
  other: "bad",
  none: "warn",
  not_known: "neutral",
  not_compared: "neutral",
} as const;

type ArrivalRowProps = {
  arrival: Arrival;
  type: WebhookType;
  /** Since when its address is on. */
  since: string;
};

/** One message: what it was in a line, and all that is kept of it below. Its body is loaded on use. */
export function ArrivalRow({ arrival, type, since }: ArrivalRowProps) {
  const t = useTranslations("capture");
  const format = useFormatter();
  const [isOpen, setOpen] = useState(false);
  const { method, at, authorization, events, isCheck, bytes, from, headers } = arrival;
  return (
    <li className="min-w-0">
      <details className="group" onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary className="flex cursor-pointer list-none items-start gap-2 px-3 py-2.5 [&::-webkit-details-marker]:hidden">
          <ChevronRight
            aria-hidden
            className="mt-1 size-4 shrink-0 text-ink-3 transition-transform group-open:rotate-90"
          />
          <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5">
            <AbsoluteTime at={at} />
            <span translate="no" className="font-mono text-small">
              {method}
            </span>
            <Badge
              tone={tones[authorization]}
              {...(tones[authorization] === "neutral" && { icon: <CircleDashed aria-hidden /> })}
            >
              {t(`authorization.${authorization}`)}
            </Badge>
            {isCheck ? (
              <Badge tone="neutral" icon={<Activity aria-hidden />}>
                {t("check")}
              </Badge>
            ) : null}
            {events.map((event) => (
              <Chip key={event}>{event}</Chip>
            ))}
            <span className="text-small text-ink-3">
              {t("bytes", { bytes: format.number(bytes) })}
            </span>
          </span>
        </summary>
        <div className="flex min-w-0 flex-col gap-3 px-3 pt-1 pb-4">
          <dl className="grid gap-3 sm:grid-cols-2">
            <Fact name={t("from")}>
              <span translate="no">{from ?? t("unknown")}</span>
            </Fact>
            <Fact name={t("headers")} className="min-w-0 sm:col-span-2">
              <ul translate="no" className="font-mono text-[0.8125rem] leading-5">
                {headers.map(({ name, value }) => (
                  <li key={name}>
                    <span>{value === null ? name : `${name}: ${value}`}</span>
                  </li>
                ))}
              </ul>
            </Fact>
          </dl>
          <p className="text-small text-ink-3">{t("headersNote")}</p>
          {isOpen ? <ArrivalBody arrival={arrival} type={type} since={since} /> : null}
        </div>
      </details>
    </li>
  );
}

function ArrivalBody({ arrival, type, since }: ArrivalRowProps) {
  const t = useTranslations("capture");
  const { ref } = useHere();
  const { data, isError, refetch } = useQuery(
    bodyQuery(ref, { type, since, number: arrival.number }),
  );
  if (isError)
    return (
      <div className="flex flex-wrap items-center gap-3">
        <p className="text-bad">{t("body.failed")}</p>
        <Button size="sm" onClick={() => void refetch()}>
          {t("body.again")}
        </Button>
      </div>
    );
  if (!data) return <p aria-busy>{t("body.loading")}</p>;
  if (data.text === "") return <p className="text-ink-2">{t("body.empty")}</p>;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <Code
        name={t("body.title")}
        copyLabel={t("body.copy")}
        className="max-h-96"
        text={prettyJson(data.text) ?? data.text}
        copies={data.text}
      />
      <div className="flex flex-wrap items-center gap-3 text-small text-ink-3">
        <Button
          size="sm"
          icon={<Download aria-hidden />}
          onClick={() => save(data, `${type}-${arrival.at.replace(/[:.]/g, "-")}`)}
        >
          {t("body.file")}
        </Button>
        {data.isCut ? <span>{t("body.cut")}</span> : null}
        {data.isBase64 ? <span>{t("body.base64")}</span> : null}
      </div>
    </div>
  );
}

/** Saves what came, byte by byte, as a file. */
function save({ text, isBase64 }: Body, name: string): void {
  const bytes = isBase64 ? Uint8Array.from(atob(text), (char) => char.charCodeAt(0)) : text;
  const url = URL.createObjectURL(new Blob([bytes]));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name}.${isBase64 ? "bin" : prettyJson(text) === null ? "txt" : "json"}`;
  link.click();
  URL.revokeObjectURL(url);
}
