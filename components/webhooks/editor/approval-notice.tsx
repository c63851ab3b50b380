"use client";

import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/forms/text-input";
import type { Proposal } from "@/lib/webhooks/model/configuration";
import { longestReason } from "@/lib/webhooks/model/rules/save-request";
import { Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";

type ApprovalNoticeProps = {
  /** What waits for the same types, and goes. */
  replaced: readonly Proposal[];
  reason: string;
  onReason: (reason: string) => void;
  readOnly: boolean;
};

/** In the sheet: that this save will not save, but wait for a second person. */
export function ApprovalNotice({ replaced, reason, onReason, readOnly }: ApprovalNoticeProps) {
  const t = useTranslations("webhooks");
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="info" icon={<Hourglass aria-hidden />} title={t("proposal.sheet.title")}>
        <p>{t("proposal.sheet.text")}</p>
        {replaced.map(({ id, by }) => (
          <p key={id} className="mt-1">
            {t("proposal.sheet.replaces", { name: by.name })}
          </p>
        ))}
      </Notice>
      <Field
        label={t("proposal.sheet.reason")}
        counter={t("sheet.counter", { count: reason.length, limit: longestReason })}
      >
        {(control) => (
          <TextInput
            {...control}
            value={reason}
            maxLength={longestReason}
            readOnly={readOnly}
            autoComplete="off"
            onChange={(event) => onReason(event.target.value)}
          />
        )}
      </Field>
    </div>
  );
}
