"use client";

import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { signOut } from "@/lib/platform/auth/client/auth-client";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import { LogIn, LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { InvitationFailure } from "./invitation-failure";
import type { Refusal } from "./use-invitation";

/** For who has an account: whoever has only the link cannot act for it, nor learn that it is there. */
export function SignInFirst() {
  const t = useTranslations("invitation.known");
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <p className="text-pretty text-ink-2">{t("text")}</p>
      <ButtonLink href="/sign-in?callbackUrl=/invitation" size="lg" icon={<LogIn aria-hidden />}>
        {t("signIn")}
      </ButtonLink>
    </div>
  );
}

/** The invited person, signed in. */
export function AcceptButton({ onAccept }: { onAccept: () => Promise<Refusal | null> }) {
  const t = useTranslations("invitation.invited");
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function accept() {
    setFailure(null);
    setPending(true);
    const refusal = await onAccept();
    if (!refusal) return;
    setPending(false);
    setFailure(refusal.kind === "failed" ? refusal.failure : { kind: "no_answer" });
  }

  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">{t("text")}</p>
      {failure ? <InvitationFailure failure={failure} /> : null}
      <Button variant="primary" size="lg" pending={pending} onClick={() => void accept()}>
        {t("submit")}
      </Button>
    </div>
  );
}

/** Signed in as somebody else than the one who is invited. */
export function AnotherPerson({ email, onSignedOut }: { email: string; onSignedOut: () => void }) {
  const t = useTranslations("invitation");
  const [pending, setPending] = useState(false);
  const [failed, setFailed] = useState(false);

  async function leave() {
    setFailed(false);
    setPending(true);
    const left = await signOut();
    setPending(false);
    if (left) onSignedOut();
    else setFailed(true);
  }

  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn" title={t("other.title")}>
        {t("other.text", { email })}
      </Notice>
      {failed ? (
        <Notice tone="bad" role="alert">
          {t("failed.signOut")}
        </Notice>
      ) : null}
      <Button
        size="lg"
        icon={<LogOut aria-hidden />}
        pending={pending}
        onClick={() => void leave()}
      >
        {t("other.signOut")}
      </Button>
    </div>
  );
}
