"use client";

import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
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
  const form = useApiForm({
    schema: partnerChangeSchema,
    values: { name: partner.name },
    errorOf: useFieldError("partners.fieldErrors"),
    mutation: useChangePartner(partner.id),
    onDone,
  });
  return (
    <SheetForm
      title={t("rename.title", { partner: partner.name })}
      description={t("rename.description", { id: partner.id })}
      submit={t("rename.submit")}
      form={form}
      failed={{ unreachable: t("failed.unreachable") }}
      onClose={onClose}
    >
      <TextField
        required
        label={t("create.name")}
        maxLength={maxNameLength}
        {...form.field("name")}
      />
    </SheetForm>
  );
}
