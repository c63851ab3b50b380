"use client";

import * as Dialog from "@radix-ui/react-dialog";
import { useTranslations } from "next-intl";
import { useRef, type ReactNode } from "react";
import { Button } from "./button";
import { useOverlay } from "./use-overlay";

type ConfirmDialogProps = {
  open: boolean;
  title: string;
  /** What happens on confirmation, in a sentence. */
  children: ReactNode;
  confirmLabel: string;
  /** "Cancel" where left out. */
  cancelLabel?: string;
  tone?: "primary" | "danger";
  pending?: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

/**
 * A question that must be answered. Focus starts on the answer that changes nothing; a press outside does not answer
 * it.
 */
export function ConfirmDialog({
  open,
  title,
  children,
  confirmLabel,
  cancelLabel,
  tone = "primary",
  pending = false,
  onConfirm,
  onCancel,
}: ConfirmDialogProps) {
  const t = useTranslations("common");
  const cancel = useRef<HTMLButtonElement>(null);
  const focus = useOverlay(open);

  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && !pending && onCancel()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-60 animate-fade-in bg-scrim" />
        <Dialog.Content
          role="alertdialog"
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            focus.remember();
            cancel.current?.focus();
          }}
          onCloseAutoFocus={focus.restore}
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed inset-x-4 top-1/2 z-70 mx-auto flex max-h-[calc(100dvh-2rem)] max-w-md -translate-y-1/2 animate-fade-in flex-col gap-5 overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-menu outline-none sm:p-6"
        >
          <div className="flex flex-col gap-1.5">
            <Dialog.Title className="text-base font-semibold">{title}</Dialog.Title>
            <Dialog.Description asChild>
              <div className="text-ink-2">{children}</div>
            </Dialog.Description>
          </div>
          <div className="flex flex-wrap justify-end gap-2">
            <Button ref={cancel} onClick={onCancel}>
              {cancelLabel ?? t("cancel")}
            </Button>
            <Button
              variant={tone === "danger" ? "danger" : "primary"}
              pending={pending}
              onClick={onConfirm}
            >
              {confirmLabel}
            </Button>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
