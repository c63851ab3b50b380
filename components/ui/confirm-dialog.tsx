"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";

type ConfirmDialogProps = {
  title: string;
  /** A sentence on what confirming does. */
  children: ReactNode;
  confirmLabel: string;
  /** "Cancel" by default. */
  cancelLabel?: string;
  tone?: "primary" | "danger";
  pending?: boolean;
  onConfirm: () => void;
  onClose: () => void;
};

/** A question that must be answered. Focus starts on the button that changes nothing. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, confirmLabel, tone = "primary", pending = false } = props;
  const t = useTranslations("common");
  return (
    <Dialog alert title={title} description={children} onClose={() => !pending && props.onClose()}>
      <div className="flex flex-wrap justify-end gap-2">
        <Button disabled={pending} onClick={props.onClose}>
          {props.cancelLabel ?? t("cancel")}
        </Button>
        <Button variant={tone} pending={pending} onClick={props.onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
