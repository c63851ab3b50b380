"use client";

import { useSignOut } from "@/components/layout/use-sign-out";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useTranslations } from "next-intl";

/** For a page on which there is nothing else to do. */
export function SignOutButton() {
  const t = useTranslations("shell");
  const { failed, leave } = useSignOut();
  return (
    <>
      {failed ? (
        <Notice tone="bad" role="alert">
          {t("signOutFailed")}
        </Notice>
      ) : null}
      <Button onClick={() => void leave()}>{t("signOut")}</Button>
    </>
  );
}
