"use client";

import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useInviteFirstAdmin } from "@/lib/team/client/use-team-change";
import { firstAdminSchema } from "@/lib/team/model/requests";
import type { Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { useState } from "react";

type FirstAdminSheetProps = { partner: { id: string; name: string }; onClose: () => void };

/** Asks whom to invite, then says how they get in. */
export function FirstAdminSheet({ partner, onClose }: FirstAdminSheetProps) {
  const t = useTranslations("partners");
  const [invited, setInvited] = useState<Invited | null>(null);
  const form = useApiForm({
    schema: firstAdminSchema,
    values: { email: "" },
    errorOf: useFieldError("partners.fieldErrors"),
    mutation: useInviteFirstAdmin(partner.id),
    onDone: setInvited,
  });
  return (
    <SheetForm
      title={t("firstAdmin.title", { partner: partner.name })}
      description={t("firstAdmin.description")}
      submit={t("firstAdmin.submit")}
      form={form}
      failed={{ unreachable: t("failed.unreachable") }}
      onClose={onClose}
      sent={invited && { to: invited.invitation.email, delivery: invited.mail, link: "invitation" }}
    >
      <TextField type="email" required label={t("firstAdmin.email")} {...form.field("email")} />
    </SheetForm>
  );
}
