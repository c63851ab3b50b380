"use client";

import { Field } from "@/components/forms/field";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextInput } from "@/components/forms/text-input";
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
  const errorOf = useFieldError("partners.fieldErrors");
  const [idFollowsName, setIdFollowsName] = useState(true);
  const form = useApiForm({
    schema: newPartnerSchema,
    values: { name: "", id: "" },
    mutation: useCreatePartner(),
    onDone,
  });
  const name = form.register("name", {
    onChange: ({ target }: { target: HTMLInputElement }) => {
      if (idFollowsName) form.setValue("id", idFromName(target.value));
    },
  });
  const id = form.register("id", { onChange: () => setIdFollowsName(false) });
  return (
    <SheetForm
      title={t("create.title")}
      description={t("create.description")}
      submit={t("create.submit")}
      pending={form.pending}
      failure={form.failure}
      failed={{ unreachable: t("failed.unreachable") }}
      onSubmit={form.submit}
      onClose={onClose}
    >
      <Field
        label={t("create.name")}
        hint={t("create.nameHint")}
        error={errorOf(form.codeOf("name"))}
      >
        {(control) => (
          <TextInput {...control} {...name} maxLength={maxNameLength} autoComplete="off" required />
        )}
      </Field>
      <Field label={t("create.id")} hint={t("create.idHint")} error={errorOf(form.codeOf("id"))}>
        {(control) => (
          <TextInput
            {...control}
            {...id}
            mono
            maxLength={40}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
          />
        )}
      </Field>
    </SheetForm>
  );
}
