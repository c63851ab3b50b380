"use client";

import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import { FailureNotice } from "@/components/forms/failure-notice";
import { useHere } from "@/components/layout/here";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/cn";
import { lastChecksQuery } from "@/lib/endpoint-check/client/query";
import { useEndpointCheck } from "@/lib/endpoint-check/client/use-check";
import { isCurrent } from "@/lib/endpoint-check/model/verdict";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Activity, CircleDashed, ShieldCheck, TriangleAlert } from "lucide-react";
import { useTranslations } from "next-intl";

/** Whether the last checks of these types refused a message without the secret and accepted one with it. */
export function useProof(
  configuration: Configuration,
  checks: EndpointChecks,
  about: readonly WebhookType[] = webhookTypes,
) {
  const t = useTranslations("firstHour.proof");
  const all = useTranslations();
  const { ref } = useHere();
  const { data } = useQuery({
    ...lastChecksQuery(ref, configuration.revision),
    placeholderData: keepPreviousData,
    enabled: checks !== null,
  });
  const checking = { pix_in: useEndpointCheck(ref), pix_out: useEndpointCheck(ref) };
  const registered = configuration.webhooks.filter(({ type }) => about.includes(type));
  const types = registered.map((webhook) => {
    const last = data?.checks.find(({ type }) => type === webhook.type);
    return {
      type: webhook.type,
      verdict: last && isCurrent(last, webhook) ? last.verdict : null,
      ...checking[webhook.type],
    };
  });
  const open = types.filter(({ verdict }) => verdict !== "accepts_only_with");
  const [only] = open;
  return {
    types,
    isProven: types.length === about.length && open.length === 0,
    button:
      only && checks?.mayCheck ? (
        <Button
          icon={<Activity aria-hidden />}
          pending={types.some(({ pending }) => pending)}
          onClick={() => {
            for (const { type, send } of open) void send({ type });
          }}
        >
          {open.length > 1 ? t("both") : t("one", { type: all(`webhooks.types.${only.type}`) })}
        </Button>
      ) : null,
  };
}

const looks = {
  proven: { icon: ShieldCheck, style: "text-ok" },
  not: { icon: TriangleAlert, style: "text-warn" },
  open: { icon: CircleDashed, style: "text-ink-3" },
};

/** What the last check of each type found. */
export function Proof({ proof: { types } }: { proof: ReturnType<typeof useProof> }) {
  const t = useTranslations("firstHour.proof");
  const all = useTranslations();
  return (
    <ul aria-live="polite" className="flex flex-col gap-1.5 text-small">
      {types.map(({ type, verdict, pending, failure }) => {
        const isProven = verdict === "accepts_only_with";
        const { icon: Icon, style } =
          looks[verdict === null ? "open" : isProven ? "proven" : "not"];
        return (
          <li key={type} className="flex items-start gap-2">
            <Icon aria-hidden className={cn("mt-0.5 size-4 shrink-0", style)} />
            <div className="min-w-0">
              <span className="font-medium">{`${all(`webhooks.types.${type}`)}: `}</span>
              <span>
                {pending
                  ? t("checking")
                  : verdict === null
                    ? t("unchecked")
                    : all(`endpointCheck.verdict.${verdict}.title`)}
              </span>
              <FailureNotice
                className="mt-1"
                failure={failure}
                title={all("endpointCheck.failed")}
                unreachable={all("endpointCheck.unreachable")}
              />
            </div>
          </li>
        );
      })}
    </ul>
  );
}

type RotatedProps = {
  /** The types whose value was replaced. */
  types: readonly WebhookType[];
  configuration: Configuration;
  checks: EndpointChecks;
};

/** What is left to do after a value was replaced: to see that the receiver accepts it, then to drop the old one. */
export function Rotated({ types, configuration, checks }: RotatedProps) {
  const t = useTranslations("firstHour.proof");
  const proof = useProof(configuration, checks, types);
  if (!checks) return null;
  return (
    <div className="mt-2 flex flex-col items-start gap-2">
      <Proof proof={proof} />
      {proof.isProven ? <p>{t("rotated")}</p> : proof.button}
    </div>
  );
}
