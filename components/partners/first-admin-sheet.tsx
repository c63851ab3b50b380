"use client";

import { EmailField } from "@/components/forms/email-field";
import { SheetForm } from "@/components/forms/sheet-form";
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
  const errorOf = useFieldError("partners.fieldErrors");
  const [invited, setInvited] = useState<Invited | null>(null);
  const form = useApiForm({
    schema: firstAdminSchema,
    values: { email: "" },
    mutation: useInviteFirstAdmin(partner.id),
    onDone: setInvited,
  });
  return (
    <SheetForm
      title={t("firstAdmin.title", { partner: partner.name })}
      description={t("firstAdmin.description")}
      submit={t("firstAdmin.submit")}
      pending={form.pending}
      failure={form.failure}
      failed={{ unreachable: t("failed.unreachable") }}
      onSubmit={form.submit}
      onClose={onClose}
      sent={invited && { to: invited.invitation.email, delivery: invited.mail, link: "invitation" }}
    >
      <EmailField
        label={t("firstAdmin.email")}
        error={errorOf(form.codeOf("email"))}
        {...form.register("email")}
      />
    </SheetForm>
  );
}
