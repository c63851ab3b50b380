"use client";

import { Field } from "@/components/forms/field";
import { Notice } from "@/components/ui/notice";
import { TextInput } from "@/components/forms/text-input";
import type { CredentialsProposal } from "@/lib/connection/model/connection";
import { longestReason } from "@/lib/webhooks/model/rules/save-request";
import { Hourglass } from "lucide-react";
import { useTranslations } from "next-intl";

type ApprovalFieldsProps = {
  /** What waits already, and goes. */
  replaced: CredentialsProposal | null;
  note: string;
  onNote: (note: string) => void;
  readOnly: boolean;
};

/** In the form of the credentials: that they will not be in use at once, but wait for a second admin. */
export function ApprovalFields({ replaced, note, onNote, readOnly }: ApprovalFieldsProps) {
  const t = useTranslations("approvals");
  return (
    <>
      <Notice tone="info" icon={<Hourglass aria-hidden />} title={t("credentials.form.title")}>
        <p>{t("credentials.form.text")}</p>
        {replaced ? (
          <p className="mt-1">{t("credentials.form.replaces", { name: replaced.by.name })}</p>
        ) : null}
      </Notice>
      <Field
        label={t("credentials.form.note")}
        counter={t("reason.counter", { count: note.length, limit: longestReason })}
      >
        {(control) => (
          <TextInput
            {...control}
            value={note}
            maxLength={longestReason}
            readOnly={readOnly}
            autoComplete="off"
            onChange={(event) => onNote(event.target.value)}
          />
        )}
      </Field>
    </>
  );
}
