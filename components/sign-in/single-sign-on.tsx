"use client";

import { Button } from "@/components/ui/button";
import { beginSingleSignOn, type SignInFailure } from "@/lib/platform/auth/client/auth-client";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";

type SingleSignOnProps = {
  /** What the identity provider is called. */
  name: string;
  callbackPath: string;
  /** An account of the provider's was refused: the next time it is to ask which one. */
  askWho: boolean;
  /** Token of the invitation that the person came with, if any. */
  invitation?: () => string | null;
  /** null when it is tried again. */
  onFailure: (failure: SignInFailure | null) => void;
};

export function SingleSignOn(props: SingleSignOnProps) {
  const { name, callbackPath, askWho, onFailure } = props;
  const t = useTranslations("signIn");
  const [pending, setPending] = useState(false);

  async function start() {
    setPending(true);
    onFailure(null);
    const invitation = props.invitation?.() ?? null;
    const begun = await beginSingleSignOn({
      callbackUrl: callbackPath,
      askWho,
      ...(invitation !== null && { invitation }),
    });
    if (begun.outcome === "go") {
      // The provider's page; the button stays busy until it is there.
      location.assign(begun.address);
      return;
    }
    setPending(false);
    onFailure(begun);
  }

  return (
    <>
      <Button
        size="lg"
        icon={<KeyRound aria-hidden />}
        pending={pending}
        onClick={() => void start()}
        className="w-full"
      >
        {t("singleSignOn", { name })}
      </Button>
      <p className="flex items-center gap-3 text-small text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t("orPassword")}
      </p>
    </>
  );
}
