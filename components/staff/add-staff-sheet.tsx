"use client";

import { EmailField } from "@/components/forms/email-field";
import { Field } from "@/components/forms/field";
import { RadioList } from "@/components/forms/radio-list";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextInput } from "@/components/forms/text-input";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useAddStaff } from "@/lib/staff/client/use-staff-change";
import { newStaffSchema, type AddedStaff, type NewStaff } from "@/lib/staff/model/staff";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { useController } from "react-hook-form";

/** Asks whom to add, then says how they get in. */
export function AddStaffSheet({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<AddedStaff | null>(null);
  const t = useTranslations("installation");
  const errorOf = useFieldError("installation.fieldErrors");
  const nobody: NewStaff = { name: "", email: "", role: "support" };
  const form = useApiForm({
    schema: newStaffSchema,
    values: nobody,
    mutation: useAddStaff(),
    onDone: setAdded,
  });
  const role = useController({ control: form.control, name: "role" }).field;
  return (
    <SheetForm
      title={t("add.title")}
      description={t("add.description")}
      submit={t("add.submit")}
      pending={form.pending}
      failure={form.failure}
      failed={{ unreachable: t("failed.unreachable") }}
      onSubmit={form.submit}
      onClose={onClose}
      sent={added && { to: added.person.email, delivery: added.mail, link: "password" }}
    >
      <Field label={t("add.name")} hint={t("add.nameHint")} error={errorOf(form.codeOf("name"))}>
        {(control) => (
          <TextInput {...control} {...form.register("name")} autoComplete="off" required />
        )}
      </Field>
      <EmailField
        label={t("add.email")}
        error={errorOf(form.codeOf("email"))}
        {...form.register("email")}
      />
      <RadioList
        label={t("add.role")}
        value={role.value}
        onChange={role.onChange}
        options={(["support", "operator"] as const).map((value) => ({
          value,
          label: t(`staff.roles.${value}`),
          description: t(`add.${value}Hint`),
        }))}
      />
    </SheetForm>
  );
}
