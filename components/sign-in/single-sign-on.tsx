"use client";

import { Button } from "@/components/ui/button";
import { beginSingleSignOn, type SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { leaveFor, useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useEffect, useEffectEvent } from "react";

type SingleSignOnProps = {
  /** The identity provider's name. */
  name: string;
  /** Whether no other way in follows. */
  isOnlyWay?: boolean;
  callbackPath: string;
  /** Whether the person came by a link that leads straight through the provider. */
  straightOn?: boolean;
  /** Whether the provider should ask which account to use, because Gancho refused the last one. */
  selectsAccount: boolean;
  /** Called with null on a new attempt. */
  onFailure: (failure: SignInFailure | null) => void;
};

export function SingleSignOn({
  name,
  isOnlyWay = false,
  callbackPath,
  straightOn = false,
  selectsAccount,
  onFailure,
}: SingleSignOnProps) {
  const t = useTranslations("signIn");
  const { pending, send } = useApiMutation(async () => {
    onFailure(null);
    const begun = await beginSingleSignOn({ callbackUrl: callbackPath, askWho: selectsAccount });
    if (begun.outcome === "go") return leaveFor(begun.address);
    onFailure(begun);
    return begun;
  });

  const begin = useEffectEvent(() => void send());
  useEffect(() => {
    if (straightOn) begin();
  }, [straightOn]);

  return (
    <>
      <Button
        size="lg"
        variant={isOnlyWay ? "primary" : "secondary"}
        icon={<KeyRound aria-hidden />}
        pending={pending}
        onClick={() => void send()}
        className="w-full"
      >
        {t("singleSignOn", { name })}
      </Button>
      {isOnlyWay ? null : (
        <p className="flex items-center gap-3 text-small text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
          {t("orPassword")}
        </p>
      )}
    </>
  );
}
