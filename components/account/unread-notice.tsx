"use client";

import { FailureText } from "@/components/shell/failure-text";
import { Button } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/button-link";
import { Notice } from "@/components/ui/notice";
import { useTranslations } from "next-intl";
import { useAccountChange } from "./use-account-change";

// Every page has this notice at hand, so the schema library is not part of it: that it is an object is enough.
const dismissed = {
  safeParse: (body: unknown) => ({ data: body instanceof Object ? {} : undefined }),
};

/** What a person is to be told about their account before anything else, until they say that they have read it. */
export function UnreadNotice({ notice }: { notice: "password_dropped" | "codes_dropped" }) {
  const t = useTranslations();
  const { pending, failure, change } = useAccountChange(dismissed);
  return (
    <Notice
      tone="warn"
      title={t(`shell.notice.${notice}.title`)}
      className="mb-6"
      actions={
        <>
          <Button
            size="sm"
            pending={pending}
            onClick={() => void change({ path: "notice", method: "DELETE", body: {} })}
          >
            {t("shell.notice.dismiss")}
          </Button>
          <ButtonLink size="sm" variant="ghost" href="/account">
            {t("shell.notice.account")}
          </ButtonLink>
        </>
      }
    >
      <p>{t(`shell.notice.${notice}.text`)}</p>
      {failure ? (
        <FailureText failure={failure} unreachable={t("problems.applied.unknown")} />
      ) : null}
    </Notice>
  );
}
