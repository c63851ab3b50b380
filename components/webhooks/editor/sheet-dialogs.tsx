"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Ambiguity } from "@/lib/webhooks/client/save-answer";
import { useTranslations } from "next-intl";

type DiscardDialogProps = {
  open: boolean;
  /** A save was sent whose end is not known: that nothing was saved would be a guess. */
  unresolved: boolean;
  onDiscard: () => void;
  onKeepEditing: () => void;
};

export function DiscardDialog({ open, unresolved, onDiscard, onKeepEditing }: DiscardDialogProps) {
  const t = useTranslations(unresolved ? "webhooks.closeUnsettled" : "webhooks.discard");
  return (
    <ConfirmDialog
      open={open}
      title={t("title")}
      confirmLabel={t("discard")}
      cancelLabel={t("keepEditing")}
      tone={unresolved ? "primary" : "danger"}
      onConfirm={onDiscard}
      onCancel={onKeepEditing}
    >
      {t("text")}
    </ConfirmDialog>
  );
}

type AmbiguityDialogProps = {
  /** Null: nothing to ask. */
  reason: Ambiguity | null;
  /** What the submit button said. */
  confirmLabel: string;
  pending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

export function AmbiguityDialog({ reason, ...rest }: AmbiguityDialogProps) {
  const t = useTranslations();
  return (
    <ConfirmDialog
      {...rest}
      open={reason !== null}
      title={t("webhooks.confirm.title")}
      cancelLabel={t("common.cancel")}
    >
      {reason ? t(`webhooks.confirm.${reason}`) : null}
    </ConfirmDialog>
  );
}
