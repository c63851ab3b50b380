"use client";

import { FailureText } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { useFormatter, useTranslations } from "next-intl";
import { useAccountChange } from "@/lib/account/client/use-account-change";

// Every page carries this notice, so it leaves the schema library out: it only checks for an object.
const dismissed = {
  safeParse: (body: unknown) => ({ data: body instanceof Object ? {} : undefined }),
};

/** `passkeys`: how many. */
type Dropped = { password: boolean; codes: boolean; passkeys: number };

/** A message about their account that a person sees before anything else, until they confirm that they have read it. */
export function UnreadNotice({ notice: { password, codes, passkeys } }: { notice: Dropped }) {
  const t = useTranslations();
  const format = useFormatter();
  const dropped = [
    ...(password ? [t("shell.notice.dropped.password")] : []),
    ...(codes ? [t("shell.notice.dropped.codes")] : []),
    ...(passkeys > 0 ? [t("shell.notice.dropped.passkeys", { count: passkeys })] : []),
  ];
  const { pending, failure, send } = useAccountChange(dismissed);
  return (
    <Notice
      tone="warn"
      title={t("shell.notice.title", { what: format.list(dropped) })}
      className="mb-6"
      actions={
        <>
          <Button
            size="sm"
            pending={pending}
            onClick={() => void send({ path: "notice", method: "DELETE", body: {} })}
          >
            {t("shell.notice.dismiss")}
          </Button>
          <ButtonLink size="sm" variant="ghost" href="/account">
            {t("shell.notice.account")}
          </ButtonLink>
        </>
      }
    >
      <p>
        {t("shell.notice.text")} {t(`shell.notice.next.${password ? "provider" : "own"}`)}
      </p>
      {failure ? (
        <FailureText failure={failure} unreachable={t("problems.applied.unknown")} />
      ) : null}
    </Notice>
  );
}
