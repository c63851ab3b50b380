"use client";

import { typesOf, webhookTypes } from "@/lib/platform/payment-service/contract/terms";
import { cn } from "@/components/ui/cn";
import { Button } from "@/components/ui/button";
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
  const request = requestOf(draft, base);
  const { set, retype } = webhookOf(base, request.type)?.authorization ?? {};
  return (
    <div className="-mt-3">
      <ProposedCheck request={request} hasValue={set && !retype} url={draft.url} demo={demo} />
    </div>
  );
}

type ProposedCheckProps = {
  request: CheckRequest;
  /** A value is registered, and Gancho can send it. */
  hasValue?: boolean | undefined;
  /** Only a result for this address is shown. */
  url: string;
  demo: boolean;
};

/** Checks an address that is not registered yet, and shows the result in place. */
export function ProposedCheck({ request, hasValue, url, demo }: ProposedCheckProps) {
  const t = useTranslations("endpointCheck");
  const check = useEndpointCheck(useHere().ref);
  const hint = request.typed?.authorization
    ? "typed.hintValue"
    : hasValue && !request.typed
      ? "typed.hintRegistered"
      : "typed.hintNoValue";
  const requestKey = JSON.stringify(request);
  const [checkedKey, setCheckedKey] = useState(requestKey);
  const isAbout = checkedKey === requestKey && check.result?.url === url;
  const result = !check.pending && isAbout ? check.result : null;
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button
          size="sm"
          icon={<Activity aria-hidden />}
          pending={check.pending}
          onClick={() => {
            setCheckedKey(requestKey);
            void check.send(request);
          }}
        >
          {t("typed.button")}
        </Button>
        <p className="min-w-0 flex-1 basis-48 text-small text-ink-3 print:hidden">{t(hint)}</p>
      </div>
      <div className={cn("has-[>:empty]:-mt-3", result && "rounded-card border border-line p-4")}>
        <CheckStatus check={check} result={result} demo={demo} />
      </div>
    </div>
  );
}

function requestOf({ type: about, url, authorization }: Draft, base: Configuration): CheckRequest {
  const [type = webhookTypes[0]] = typesOf(about);
  const isReplaced = authorization.action === "replace";
  if (!isReplaced && webhookOf(base, type)?.callbackUrl === url) return { type };
  const value = isReplaced && checkAuthorizationValue(authorization.value).ok;
  return { type, typed: { url, ...(value && { authorization: authorization.value }) } };
}
