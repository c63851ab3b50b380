"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { passwordAgainMs } from "@/lib/platform/auth/model/password-again";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { useRef, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";

/** Loaded on use: only admins reveal values, and rarely. */
const reveal = lazyPart(() => import("./reveal-dialog").then((module) => module.RevealDialog));
export const RevealDialog = reveal.LazyPart;

type OpenReveal = {
  type: WebhookType;
  /** The fingerprint of the value that the page shows; null if it is unknown. */
  fingerprint: string | null;
  /** The person proved their identity so recently that the dialog need not ask again. */
  proofCounts: boolean;
};

/** Which value's dialog is open, and when the person last proved their identity. */
export function useOpenReveal() {
  const [open, setOpen] = useState<OpenReveal | null>(null);
  // The server decides whether a proof is needed; this only skips a question that it would not ask.
  const givenAt = useRef<number | null>(null);
  return {
    open,
    show({ type, authorization: { fingerprint } }: ConfiguredWebhook) {
      const { current } = givenAt;
      const proofCounts = current !== null && performance.now() - current < passwordAgainMs;
      setOpen({ type, fingerprint, proofCounts });
    },
    close: () => setOpen(null),
    recordProof() {
      givenAt.current = performance.now();
    },
  };
}

type RevealButtonProps = {
  type: WebhookType;
  /** The id of the card's heading. */
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
      // reveal-dialog.tsx finds the button by this attribute to give the focus back.
      data-reveals={type}
      onPointerEnter={reveal.preload}
      onFocus={reveal.preload}
      onClick={onReveal}
    />
  );
}
