"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useTranslations } from "next-intl";
import { ProblemText } from "@/components/webhooks/list/problem-text";

/** Who comes by single sign-on alone is told so, and asked for nothing that they do not have. */
export function NoPassword({ onClose }: { onClose: () => void }) {
  const t = useTranslations("common");
  return (
    <>
      <Notice tone="info">
        <ProblemText problem={{ code: "no_password" }} />
      </Notice>
      <Button className="self-end" onClick={onClose}>
        {t("close")}
      </Button>
    </>
  );
}
