"use client";

import { TextField } from "@/components/forms/text-field";
import { Notice } from "@/components/ui/notice";
import { maxReasonLength } from "@/lib/webhooks/model/rules/save-request";
import { Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";

type ApprovalFieldsProps = {
  namespace: "webhooks.proposal.sheet" | "approvals.credentials.form";
  /** The waiting proposals that this one replaces. */
  replaced: readonly { id: string; by: { name: string } }[];
  reason: string;
  onReason: (reason: string) => void;
  readOnly: boolean;
};

/** Says that the change will wait for a second person, and asks for a note to them. */
export function ApprovalFields(props: ApprovalFieldsProps) {
  const { replaced, reason, onReason, readOnly } = props;
  const t = useTranslations(props.namespace as "webhooks.proposal.sheet");
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="info" icon={<Hourglass aria-hidden />} title={t("title")}>
        <p>{t("text")}</p>
        {replaced.map(({ id, by }) => (
          <p key={id} className="mt-1">
            {t("replaces", { name: by.name })}
          </p>
        ))}
      </Notice>
      <TextField
        label={t("reason")}
        length={reason.length}
        maxLength={maxReasonLength}
        value={reason}
        readOnly={readOnly}
        onChange={(event) => onReason(event.target.value)}
      />
    </div>
  );
}
