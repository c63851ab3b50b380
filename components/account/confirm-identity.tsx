"use client";

import { BareCard } from "@/components/layout/bare-frame";
import { FailureMessage } from "@/components/sign-in/failure-message";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { sayConfirmed } from "@/lib/account/client/confirmed";
import { beginStepUpAtProvider, type SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";

type ConfirmIdentityProps = {
  /** The provider's name. */
  provider: string;
  /** Whether the person is back and confirmed. */
  isConfirmed: boolean;
  /** Why they are back and not confirmed. */
  initialFailure: SignInFailure | null;
};

/** The window of the step-up at the provider. It leads on by itself until something has failed. */
export function ConfirmIdentity({ provider, isConfirmed, initialFailure }: ConfirmIdentityProps) {
  const t = useTranslations("shell.stepUp");
  const { pending, answer, send } = useApiMutation(async () => {
    const begun = await beginStepUpAtProvider();
    return begun.outcome === "go" ? leaveFor(begun.address) : begun;
  });
  const failure = answer ?? initialFailure;
  const leadOn = useEffectEvent(() => void send());
  const isBegin = !isConfirmed && initialFailure === null;
  useEffect(() => {
    if (isBegin) leadOn();
    if (!isConfirmed) return;
    sayConfirmed();
    // Where a browser does not let a page close its window, the words below say what to do.
    window.close();
  }, [isBegin, isConfirmed]);

  if (isConfirmed)
    return (
      <BareCard title={t("title")}>
        <Notice tone="ok" role="status" title={t("provider.confirmed.title")}>
          {t("provider.confirmed.next")}
        </Notice>
      </BareCard>
    );
  return (
    <BareCard title={t("title")} intro={t("provider.text", { name: provider })}>
      {failure && !pending ? <FailureMessage of="stepUp" failure={failure} /> : null}
      <Button
        size="lg"
        variant="primary"
        icon={<KeyRound aria-hidden />}
        pending={pending}
        onClick={() => void send()}
        className="w-full"
      >
        {t("provider.go", { name: provider })}
      </Button>
    </BareCard>
  );
}
