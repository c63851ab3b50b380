"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { Revealed } from "@/lib/webhooks/model/revealed";
import { useTranslations } from "next-intl";

type NoValueProps = {
  absence: NonNullable<Revealed["absence"]>;
  typeName: string;
  onClose: () => void;
};

/** There was one when the page was read. */
export function NoValue({ absence, typeName, onClose }: NoValueProps) {
  const t = useTranslations();
  return (
    <>
      <Notice tone="warn" role="alert" title={t("webhooks.reveal.changed")}>
        {t(`webhooks.reveal.absence.${absence}`, { type: typeName })}
      </Notice>
      <Button className="self-end" onClick={onClose}>
        {t("common.close")}
      </Button>
    </>
  );
}
