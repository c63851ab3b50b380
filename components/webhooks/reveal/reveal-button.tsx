"use client";

import { IconButton } from "@/components/ui/icon-button";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";
import { preloadReveal } from "./lazy-reveal";

type RevealButtonProps = {
  type: WebhookType;
  /** What names the card that it stands in. */
  describedBy: string;
  onReveal: () => void;
};

export function RevealButton({ type, describedBy, onReveal }: RevealButtonProps) {
  const t = useTranslations("webhooks.reveal");
  return (
    <IconButton
      label={t("button")}
      icon={<Eye aria-hidden />}
      aria-describedby={describedBy}
      aria-haspopup="dialog"
      // By what it is found (find-button.ts).
      data-reveals={type}
      onPointerEnter={preloadReveal}
      onFocus={preloadReveal}
      onClick={onReveal}
    />
  );
}
