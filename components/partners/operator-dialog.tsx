"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useChangePartner, useCreatePartner } from "@/lib/partners/client/use-partner-change";
import {
  maxNameLength,
  newPartnerSchema,
  partnerChangeSchema,
  type ChangedPartner,
} from "@/lib/partners/model/change-requests";
import { useInviteFirstAdmin } from "@/lib/team/client/use-team-change";
import { firstAdminSchema } from "@/lib/team/model/requests";
import type { Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { idFromName } from "./id-from-name";

type Named = { id: string; name: string };

/** The action that an operator has begun. */
export type OperatorAction =
  | { kind: "create" }
  | { kind: "first_admin" | "rename"; partner: Named }
  | { kind: "suspend"; partner: Named & { suspended: boolean } };

type DialogCallbacks = { onDone: (partner: ChangedPartner) => void; onClose: () => void };

/** The dialog of the operator's current action. */
export function OperatorDialog({ action, ...ends }: DialogCallbacks & { action: OperatorAction }) {
  switch (action.kind) {
    case "create":
      return <NewPartnerSheet {...ends} />;
    case "first_admin":
      return <FirstAdminSheet partner={action.partner} onClose={ends.onClose} />;
    case "rename":
      return <RenameSheet partner={action.partner} {...ends} />;
    case "suspend":
      return <SuspendDialog partner={action.partner} {...ends} />;
  }
}

function NewPartnerSheet({ onDone, onClose }: DialogCallbacks) {
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
      form={form}
      title={t("create.title")}
      description={t("create.description")}
      submit={t("create.submit")}
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

/** Asks whom to invite, then says how the link is delivered. */
function FirstAdminSheet({ partner, onClose }: { partner: Named; onClose: () => void }) {
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
      form={form}
      title={t("firstAdmin.title", { partner: partner.name })}
      description={t("firstAdmin.description")}
      submit={t("firstAdmin.submit")}
      onClose={onClose}
      sent={invited && { to: invited.invitation.email, delivery: invited.mail, link: "invitation" }}
    >
      <TextField type="email" required label={t("firstAdmin.email")} {...form.field("email")} />
    </SheetForm>
  );
}

function RenameSheet({ partner, onDone, onClose }: DialogCallbacks & { partner: Named }) {
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
      form={form}
      title={t("rename.title", { partner: partner.name })}
      description={t("rename.description", { id: partner.id })}
      submit={t("rename.submit")}
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

type SuspendDialogProps = DialogCallbacks & { partner: Named & { suspended: boolean } };

/** Asks before a partner is suspended or resumed. */
function SuspendDialog({ partner, onDone, onClose }: SuspendDialogProps) {
  const t = useTranslations();
  const { pending, failure, send } = useChangePartner(partner.id);
  const action = partner.suspended ? "resume" : "suspend";
  async function confirm() {
    const changed = await send({ suspended: !partner.suspended });
    if (changed?.kind === "done") onDone(changed.result);
  }
  return (
    <ConfirmDialog
      title={t(`partners.${action}.title`, { partner: partner.name })}
      confirmLabel={t(`partners.${action}.confirm`)}
      tone={partner.suspended ? "primary" : "danger"}
      pending={pending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <p>{t(`partners.${action}.text`)}</p>
      <FailureNotice failure={failure} className="mt-3" />
    </ConfirmDialog>
  );
}
