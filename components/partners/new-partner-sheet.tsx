"use client";

import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useCreatePartner } from "@/lib/partners/client/use-partner-change";
import {
  maxNameLength,
  newPartnerSchema,
  type ChangedPartner,
} from "@/lib/partners/model/change-requests";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { idFromName } from "./id-from-name";

type NewPartnerSheetProps = { onDone: (partner: ChangedPartner) => void; onClose: () => void };

export function NewPartnerSheet({ onDone, onClose }: NewPartnerSheetProps) {
  const t = useTranslations("partners");
  const [idFollowsName, setIdFollowsName] = useState(true);
  const form = useApiForm({
    schema: newPartnerSchema,
    values: { name: "", id: "" },
    errorOf: useFieldError("partners.fieldErrors"),
    mutation: useCreatePartner(),
    onDone,
  });
  const name = form.field("name", {
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (idFollowsName) form.setValue("id", idFromName(target.value));
    },
  });
  const id = form.field("id", { onChange: () => setIdFollowsName(false) });
  return (
    <SheetForm
      title={t("create.title")}
      description={t("create.description")}
      submit={t("create.submit")}
      form={form}
      failed={{ unreachable: t("failed.unreachable") }}
      onClose={onClose}
    >
      <TextField
        required
        label={t("create.name")}
        hint={t("create.nameHint")}
        maxLength={maxNameLength}
        {...name}
      />
      <TextField
        required
        mono
        label={t("create.id")}
        hint={t("create.idHint")}
        maxLength={40}
        {...id}
      />
    </SheetForm>
  );
}
