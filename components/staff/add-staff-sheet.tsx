"use client";

import { RadioList } from "@/components/forms/choice";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
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
  const nobody: NewStaff = { name: "", email: "", role: "support" };
  const form = useApiForm({
    schema: newStaffSchema,
    values: nobody,
    errorOf: useFieldError("installation.fieldErrors"),
    mutation: useAddStaff(),
    onDone: setAdded,
  });
  const role = useController({ control: form.control, name: "role" }).field;
  return (
    <SheetForm
      title={t("add.title")}
      description={t("add.description")}
      submit={t("add.submit")}
      form={form}
      failed={{ unreachable: t("failed.unreachable") }}
      onClose={onClose}
      sent={added && { to: added.person.email, delivery: added.mail, link: "password" }}
    >
      <TextField required label={t("add.name")} hint={t("add.nameHint")} {...form.field("name")} />
      <TextField type="email" required label={t("add.email")} {...form.field("email")} />
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
