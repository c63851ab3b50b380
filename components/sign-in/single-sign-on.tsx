"use client";

import { Button } from "@/components/ui/button";
import { singleSignOnAddress } from "@/lib/auth-client";
import { KeyRound } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";

type SingleSignOnProps = { name: string; callbackPath: string; onFailure: () => void };

export function SingleSignOn({ name, callbackPath, onFailure }: SingleSignOnProps) {
  const t = useTranslations("signIn");
  const [pending, setPending] = useState(false);

  async function start() {
    setPending(true);
    const address = await singleSignOnAddress(callbackPath);
    if (address) {
      location.assign(address);
      return;
    }
    setPending(false);
    onFailure();
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
