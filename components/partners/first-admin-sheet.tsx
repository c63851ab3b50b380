"use client";

import { CopyField } from "@/components/forms/copy-field";
import { EmailField } from "@/components/forms/email-field";
import { Notice } from "@/components/ui/notice";
import { SheetForm } from "@/components/forms/sheet-form";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useInviteFirstAdmin } from "@/lib/team/client/use-team-change";
import { firstAdminSchema } from "@/lib/team/model/requests";
import type { Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { useState } from "react";

type FirstAdminSheetProps = { partner: { id: string; name: string }; onClose: () => void };

/** Asks whom to invite, then shows the link, which stays until the person closes the sheet. */
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
  const words = invited
    ? {
        title: t(`firstAdmin.${invited.link === null ? "mailedTitle" : "linkTitle"}`, {
          email: invited.invitation.email,
        }),
        description: invited.link === null ? undefined : t("firstAdmin.linkText"),
      }
    : {
        title: t("firstAdmin.title", { partner: partner.name }),
        description: t("firstAdmin.description"),
      };
  return (
    <SheetForm
      {...words}
      submit={t("firstAdmin.submit")}
      pending={form.pending}
      failure={form.failure}
      failed={{ unreachable: t("failed.unreachable") }}
      onSubmit={form.submit}
      onClose={onClose}
      result={invited && { close: t("firstAdmin.done"), children: <Link invited={invited} /> }}
    >
      <EmailField
        label={t("firstAdmin.email")}
        error={errorOf(form.codeOf("email"))}
        {...form.register("email")}
      />
    </SheetForm>
  );
}

/** The link, this once; or that it was mailed, or could not be. */
function Link({ invited: { link, mail, invitation } }: { invited: Invited }) {
  const t = useTranslations();
  const { email } = invitation;
  if (link === null)
    return (
      <Notice tone={mail === "sent" ? "ok" : "bad"} role={mail === "sent" ? "status" : "alert"}>
        {t(`partners.firstAdmin.${mail === "sent" ? "mailed" : "mailFailed"}`, { email })}
      </Notice>
    );
  return (
    <CopyField
      label={t("partners.firstAdmin.label")}
      text={link}
      copyLabel={t("partners.firstAdmin.copy")}
    />
  );
}
