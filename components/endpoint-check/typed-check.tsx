"use client";

import { typesOf, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { cn } from "@/components/ui/cn";
import { Button } from "@/components/ui/button";
import { Sentences } from "@/components/ui/sentences";
import { useHere } from "@/components/layout/here";
import { useEndpointCheck } from "@/lib/endpoint-check/client/use-check";
import type { CheckRequest } from "@/lib/endpoint-check/model/request";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import type { Draft } from "@/lib/webhooks/model/draft";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { checkAuthorizationValue } from "@/lib/webhooks/model/rules/authorization-value";
import { checkCallbackTarget, type TargetPolicy } from "@/lib/webhooks/model/rules/callback-target";
import { Activity } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { CheckStatus } from "./check-result";

type TypedCheckProps = {
  draft: Draft;
  base: Configuration;
  policy: TargetPolicy;
  demo: boolean;
};

/** Checks the address in the form before it is saved. The registered value is only sent to the registered address. */
export function TypedCheck({ draft, base, policy, demo }: TypedCheckProps) {
  if (!checkCallbackTarget(draft.url, policy).ok) return null;
  const requests = typesOf(draft.type).map((type) => requestOf(type, draft, base));
  return (
    <div className="-mt-3">
      <ProposedCheck requests={requests} base={base} url={draft.url} demo={demo} />
    </div>
  );
}

type ProposedCheckProps = {
  /** One for each type. */
  requests: readonly CheckRequest[];
  base: Configuration;
  /** Only results for this address are shown. */
  url: string;
  demo: boolean;
};

/** Checks an address that is not registered yet, once for each type, and shows the results in place. */
export function ProposedCheck({ requests, base, url, demo }: ProposedCheckProps) {
  const t = useTranslations();
  const { ref } = useHere();
  const checks = { pix_in: useEndpointCheck(ref), pix_out: useEndpointCheck(ref) };
  const [checkedKey, setCheckedKey] = useState("");
  const requestKey = JSON.stringify(requests);
  const pending = requests.some(({ type }) => checks[type].pending);
  const hints = requests.map((request) => {
    const text = t(`endpointCheck.typed.${hintOf(request, base)}`);
    return { type: request.type, text };
  });
  const [first] = hints;
  const isSame = hints.every(({ text }) => text === first?.text);

  function start() {
    setCheckedKey(requestKey);
    for (const request of requests) void checks[request.type].send(request);
  }

  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button size="sm" icon={<Activity aria-hidden />} pending={pending} onClick={start}>
          {t("endpointCheck.typed.button")}
        </Button>
        <p className="min-w-0 flex-1 basis-48 text-small text-ink-3 print:hidden">
          <Sentences
            of={[
              isSame
                ? first?.text
                : hints
                    .map(({ type, text }) => `${t(`webhooks.types.${type}`)}: ${text}`)
                    .join(" "),
              isSame && requests.length > 1 ? t("endpointCheck.typed.each") : null,
            ]}
          />
        </p>
      </div>
      {requests.map(({ type }) => {
        const check = checks[type];
        const isAbout = checkedKey === requestKey && check.result?.url === url;
        const result = !check.pending && isAbout ? check.result : null;
        const isShown = check.pending || check.failure !== null || result !== null;
        const isOneOfTwo = requests.length > 1 && isShown;
        return (
          <div
            key={type}
            className={cn(
              "flex flex-col gap-3 has-[>:empty]:-mt-3",
              result && "rounded-card border border-line p-4",
            )}
          >
            {isOneOfTwo ? <h3 className="font-semibold">{t(`webhooks.types.${type}`)}</h3> : null}
            <CheckStatus check={check} result={result} demo={demo} folded />
          </div>
        );
      })}
    </div>
  );
}

function hintOf({ type, typed }: CheckRequest, base: Configuration) {
  if (typed) return typed.authorization === undefined ? "hintNoValue" : "hintValue";
  const { set, retype } = webhookOf(base, type)?.authorization ?? {};
  return set && !retype ? "hintRegistered" : "hintNoValue";
}

function requestOf(
  type: WebhookType,
  { url, authorization }: Draft,
  base: Configuration,
): CheckRequest {
  const isReplaced = authorization.action === "replace";
  if (!isReplaced && webhookOf(base, type)?.callbackUrl === url) return { type };
  const value = isReplaced && checkAuthorizationValue(authorization.value).ok;
  return { type, typed: { url, ...(value && { authorization: authorization.value }) } };
}
