"use client";

import { Field } from "@/components/forms/field";
import { TextInput } from "@/components/forms/text-input";
import { fieldErrors } from "@/lib/platform/http/model/field-errors";
import {
  longestName,
  partnerChangeSchema,
  type ChangedPartner,
} from "@/lib/partners/model/change-requests";
import { useTranslations } from "next-intl";
import { useRef, useState } from "react";
import { PartnerSheet } from "./partner-sheet";
import { refusedField, useChangePartner } from "./use-change-partner";
import { useFieldError } from "./use-field-error";

type RenameSheetProps = {
  partner: { id: string; name: string };
  onDone: (partner: ChangedPartner) => void;
  onClose: () => void;
};

export function RenameSheet({ partner, onDone, onClose }: RenameSheetProps) {
  const t = useTranslations("partners");
  const fieldError = useFieldError();
  const { pending, failure, send } = useChangePartner();
  const [name, setName] = useState(partner.name);
  const [refused, setRefused] = useState<string | undefined>();
  const input = useRef<HTMLInputElement>(null);

  async function submit() {
    const parsed = partnerChangeSchema.safeParse({ name });
    setRefused(parsed.success ? undefined : fieldErrors(parsed.error.issues)[0]?.code);
    const changed = parsed.success
      ? await send({ kind: "change", id: partner.id, body: parsed.data })
      : null;
    if (changed) onDone(changed);
    else input.current?.focus();
  }

  return (
    <PartnerSheet
      title={t("rename.title", { partner: partner.name })}
      description={t("rename.description", { id: partner.id })}
      submit={t("rename.submit")}
      pending={pending}
      failure={failure}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Field label={t("create.name")} error={fieldError(refused ?? refusedField(failure, "name"))}>
        {(control) => (
          <TextInput
            {...control}
            ref={input}
            value={name}
            onChange={(event) => setName(event.target.value)}
            maxLength={longestName}
            autoComplete="off"
            required
          />
        )}
      </Field>
    </PartnerSheet>
  );
}
