"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { BareCard } from "@/components/layout/bare-frame";
import { useLinkToken } from "@/components/layout/use-link-token";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { confirmAlertAddress } from "@/lib/team/client/alert-address";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import { useTranslations } from "next-intl";
import { useState } from "react";

/** Where the link of an alert address leads: a press confirms it, since a mail scanner may open a link. */
export function AlertAddressScreen() {
  const t = useTranslations("alertAddress");
  const [hasToken, setHasToken] = useState<boolean | null>(null);
  const link = useLinkToken("gancho.alert-address", (token) => {
    setHasToken(token !== null);
    return Promise.resolve();
  });
  const { pending, failure, answer, send } = useApiMutation(() =>
    confirmAlertAddress(link.token() ?? ""),
  );

  async function confirm() {
    const sent = await send();
    if (sent?.kind === "done") link.forget();
  }

  if (answer?.kind === "done")
    return (
      <BareCard title={t("title")}>
        <Notice tone="ok" role="status">
          {t("confirmed", answer.result)}
        </Notice>
      </BareCard>
    );
  const isUnknown =
    hasToken === false || (failure?.kind === "problem" && failure.problem.code === "not_found");
  if (isUnknown)
    return (
      <BareCard title={t("title")}>
        <Notice tone="warn" role="alert" title={t("unknown.title")}>
          {t("unknown.text")}
        </Notice>
      </BareCard>
    );
  return (
    <BareCard title={t("title")} intro={t("intro")}>
      <FailureNotice failure={failure} />
      <Button
        variant="primary"
        size="lg"
        pending={pending}
        disabled={hasToken === null}
        onClick={() => void confirm()}
      >
        {t("confirm")}
      </Button>
    </BareCard>
  );
}
