"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { passwordAgainMs } from "@/lib/platform/auth/model/password-again";
import type { ConfiguredWebhook } from "@/lib/webhooks/model/configuration";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useRef, useState } from "react";
import { IconButton } from "@/components/ui/icon-button";
import { Eye } from "lucide-react";
import { useTranslations } from "next-intl";

/** Few visits are to see a value, and only an admin's. */
const reveal = lazyPart(
  () => import("./reveal-dialog").then((module) => module.RevealDialog),
  ({ onClose }) => onClose(),
);
export const RevealDialog = reveal.LazyPart;

type OpenReveal = {
  type: WebhookType;
  /** Of the value that the page stands for; null where it is not known. */
  fingerprint: string | null;
  /** It was proved so lately that it is they that nothing need be asked for. */
  proofCounts: boolean;
};

/** Which value is being revealed. */
export function useOpenReveal() {
  const [open, setOpen] = useState<OpenReveal | null>(null);
  // What the server says decides; this spares a question that it would not ask.
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
      onPointerEnter={reveal.preload}
      onFocus={reveal.preload}
      onClick={onReveal}
    />
  );
}
