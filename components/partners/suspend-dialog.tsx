"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useChangePartner } from "@/lib/partners/client/use-partner-change";
import type { ChangedPartner } from "@/lib/partners/model/change-requests";
import { useTranslations } from "next-intl";

type SuspendDialogProps = {
  partner: { id: string; name: string; suspended: boolean };
  onDone: (partner: ChangedPartner) => void;
  onClose: () => void;
};

/** Confirms before a partner is suspended, or resumed. */
export function SuspendDialog({ partner, onDone, onClose }: SuspendDialogProps) {
  const t = useTranslations();
  const { pending, failure, send } = useChangePartner(partner.id);
  const act = partner.suspended ? "resume" : "suspend";

  async function confirm() {
    const changed = await send({ suspended: !partner.suspended });
    if (changed?.kind === "done") onDone(changed.result);
  }

  return (
    <ConfirmDialog
      title={t(`partners.${act}.title`, { partner: partner.name })}
      confirmLabel={t(`partners.${act}.confirm`)}
      tone={partner.suspended ? "primary" : "danger"}
      pending={pending}
      onConfirm={() => void confirm()}
      onCancel={onClose}
    >
      <p>{t(`partners.${act}.text`)}</p>
      <FailureNotice
        failure={failure}
        unreachable={t("partners.failed.unreachable")}
        className="mt-3"
      />
    </ConfirmDialog>
  );
}
