"use client";

import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Notice } from "@/components/ui/notice";
import { signOut } from "@/lib/platform/auth/client/auth-client";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { LogIn, LogOut } from "lucide-react";
import { useTranslations } from "next-intl";
import type { Refusal } from "./use-invitation";

/** For a person who has an account: the link alone neither acts for that account nor reveals that it exists. */
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

/** The signed-in person is the invited one. */
export function AcceptButton({ onAccept }: { onAccept: () => Promise<Refusal | null> }) {
  const t = useTranslations("invitation.invited");
  const words = useTranslations("invitation.failed");
  const { pending, answer: refusal, send } = useApiMutation(onAccept);
  const failure = refusal?.kind === "fields" ? ({ kind: "no_answer" } as const) : refusal?.failure;

  return (
    <div className="flex flex-col gap-4">
      <p className="text-ink-2">{t("text")}</p>
      <FailureNotice
        failure={failure ?? null}
        title={words("title")}
        unreachable={words("noAnswer")}
      />
      <Button variant="primary" size="lg" pending={pending} onClick={() => void send()}>
        {t("submit")}
      </Button>
    </div>
  );
}

/** Signed in as somebody other than the invited person. */
export function AnotherPerson({ email, onSignedOut }: { email: string; onSignedOut: () => void }) {
  const t = useTranslations("invitation");
  const { pending, answer: left, send } = useApiMutation(signOut);

  async function leave() {
    if (await send()) onSignedOut();
  }

  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warn" title={t("other.title")}>
        {t("other.text", { email })}
      </Notice>
      {left === false ? (
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
