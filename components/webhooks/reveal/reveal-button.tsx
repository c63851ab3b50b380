"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { passwordAgainMs } from "@/lib/platform/auth/model/password-again";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { useRef, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";

/** Few visits reveal a value, and only an admin's. */
const reveal = lazyPart(() => import("./reveal-dialog").then((module) => module.RevealDialog));
export const RevealDialog = reveal.LazyPart;

type OpenReveal = {
  type: WebhookType;
  /** The fingerprint of the value that the page stands for; null where it is unknown. */
  fingerprint: string | null;
  /** The person proved their identity so recently that the dialog need not ask. */
  proofCounts: boolean;
};

/** The value to reveal. */
export function useOpenReveal() {
  const [open, setOpen] = useState<OpenReveal | null>(null);
  // The server decides; this only spares a question that it would not ask.
  const givenAt = useRef<number | null>(null);
  return {
    open,
    show({ type, authorization: { fingerprint } }: ConfiguredWebhook) {
      const { current } = givenAt;
      const proofCounts = current !== null && performance.now() - current < passwordAgainMs;
      setOpen({ type, fingerprint, proofCounts });
    },
    close: () => setOpen(null),
    noteProof() {
      givenAt.current = performance.now();
    },
  };
}

type RevealButtonProps = {
  type: WebhookType;
  /** The id of its card's name. */
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
      // The attribute by which the dialog finds it, to give the focus back (reveal-dialog.tsx).
      data-reveals={type}
      onPointerEnter={reveal.preload}
      onFocus={reveal.preload}
      onClick={onReveal}
    />
  );
}
