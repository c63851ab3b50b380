"use client";

import { FailureText } from "@/components/forms/failure-text";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { Notice } from "@/components/ui/notice";
import type { ChangedPartner } from "@/lib/partners/model/change-requests";
import { useTranslations } from "next-intl";
import { useChangePartner } from "./use-change-partner";

type SuspendDialogProps = {
  partner: { id: string; name: string; suspended: boolean };
  onDone: (partner: ChangedPartner) => void;
  onClose: () => void;
};

/** Asks before a partner is suspended, or resumed where it is. */
export function SuspendDialog({ partner, onDone, onClose }: SuspendDialogProps) {
  const t = useTranslations();
  const { pending, failure, send } = useChangePartner();
  const act = partner.suspended ? "resume" : "suspend";

  async function confirm() {
    const body = { suspended: !partner.suspended };
    const changed = await send({ kind: "change", id: partner.id, body });
    if (changed) onDone(changed);
  }

  return (
    <ConfirmDialog
      open
      title={t(`partners.${act}.title`, { partner: partner.name })}
      confirmLabel={t(`partners.${act}.confirm`)}
      cancelLabel={t("common.cancel")}
      tone={partner.suspended ? "primary" : "danger"}
      pending={pending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{t(`partners.${act}.text`)}</p>
      {failure ? (
        <Notice tone="bad" role="alert" className="mt-3">
          <FailureText failure={failure} unreachable={t("partners.failed.unreachable")} />
        </Notice>
      ) : null}
    </ConfirmDialog>
  );
}
