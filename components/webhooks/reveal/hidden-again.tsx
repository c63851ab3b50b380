"use client";

import { Button } from "@/components/ui/button";
import { useTranslations } from "next-intl";
import { useEffect, useRef } from "react";

type HiddenAgainProps = { pending: boolean; onAgain: () => void; onClose: () => void };

/** The time is up. */
export function HiddenAgain({ pending, onAgain, onClose }: HiddenAgainProps) {
  const t = useTranslations();
  const said = useRef<HTMLParagraphElement>(null);
  useEffect(() => said.current?.focus(), []);
  return (
    <div className="flex flex-wrap items-center justify-end gap-2">
      <p ref={said} tabIndex={-1} className="mr-auto outline-none">
        {t("webhooks.reveal.over")}
      </p>
      <Button onClick={onClose}>{t("common.close")}</Button>
      <Button variant="primary" pending={pending} onClick={onAgain}>
        {t("webhooks.reveal.again")}
      </Button>
    </div>
  );
}
