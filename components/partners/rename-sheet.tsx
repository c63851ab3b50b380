"use client";

import { Field } from "@/components/forms/field";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextInput } from "@/components/forms/text-input";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useChangePartner } from "@/lib/partners/client/use-partner-change";
import {
  maxNameLength,
  partnerChangeSchema,
  type ChangedPartner,
} from "@/lib/partners/model/change-requests";
import { useTranslations } from "next-intl";

type RenameSheetProps = {
  partner: { id: string; name: string };
  onDone: (partner: ChangedPartner) => void;
  onClose: () => void;
};

export function RenameSheet({ partner, onDone, onClose }: RenameSheetProps) {
  const t = useTranslations("partners");
  const errorOf = useFieldError("partners.fieldErrors");
  const form = useApiForm({
    schema: partnerChangeSchema,
    values: { name: partner.name },
    mutation: useChangePartner(partner.id),
    onDone,
  });
  return (
    <SheetForm
      title={t("rename.title", { partner: partner.name })}
      description={t("rename.description", { id: partner.id })}
      submit={t("rename.submit")}
      pending={form.pending}
      failure={form.failure}
      failed={{ unreachable: t("failed.unreachable") }}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field label={t("create.name")} error={errorOf(form.codeOf("name"))}>
        {(control) => (
          <TextInput
            {...control}
            {...form.register("name")}
            maxLength={maxNameLength}
            autoComplete="off"
            required
          />
        )}
      </Field>
    </SheetForm>
  );
}
