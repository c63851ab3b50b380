"use client";

import { Sentences } from "@/components/ui/sentences";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useAddAlertAddress, useTeamChange, useInvite } from "@/lib/team/client/use-team-change";
import type { Invitation, Member, Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import type { Result } from "./team-screen";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import type { LinkDelivery } from "@/lib/platform/mail/model/link-delivery";
import {
  alertAddressSchema,
  inviteSchema,
  type Invite,
  roleChangeSchema,
} from "@/lib/team/model/requests";
import { useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { RadioList } from "@/components/forms/choice";
import { partnerRoles, type PartnerRole } from "@/lib/platform/access/model/roles";

/** The member or invitation to remove. `staying`: alert addresses that the member added. */
type Removal =
  | { kind: "remove"; member: Member; staying: readonly string[] }
  | { kind: "revoke"; invitation: Invitation };

export type Dialog =
  | { kind: "invite"; renewing: Invitation | null }
  | { kind: "alertAddress" }
  | { kind: "role"; member: Member }
  | Removal;

type OpenDialogProps<Shown = Dialog> = {
  dialog: Shown;
  partner: { id: string; name: string };
  onClose: () => void;
  /** Also closes the dialog. */
  onResult: (result: Result) => void;
};

/** The open dialog. People who change their own membership lose access to this page, so they go to their start page. */
export function OpenDialog(props: OpenDialogProps) {
  const { dialog, partner, onClose, onResult } = props;
  const t = useTranslations("team.done");
  const roles = useTranslations("common.roles");
  switch (dialog.kind) {
    case "invite":
      return <InviteSheet partner={partner.id} renewing={dialog.renewing} onClose={onClose} />;
    case "alertAddress":
      return <AlertAddressSheet partner={partner.id} onClose={onClose} />;
    case "role":
      return (
        <RoleSheet
          partner={partner.id}
          member={dialog.member}
          onClose={onClose}
          onDone={(role) => {
            const { name, you } = dialog.member;
            if (you) location.assign("/");
            else onResult({ kind: "done", text: t("role", { name, role: roles(role) }) });
          }}
        />
      );
    default:
      return <RemovalDialog {...props} dialog={dialog} />;
  }
}

/** Asks for confirmation, then removes a member or an invitation. */
function RemovalDialog({ dialog, partner, onClose, onResult }: OpenDialogProps<Removal>) {
  const t = useTranslations("team");
  const { pending, send } = useTeamChange(partner.id);
  const isPerson = dialog.kind === "remove";
  const { name, you } = isPerson ? dialog.member : { name: "", you: false };
  const staying = isPerson ? dialog.staying : [];
  const ofPerson = you ? "leaveDialog" : "removeDialog";
  const words = isPerson ? ofPerson : "revokeDialog";
  const about = { name, partner: partner.name, email: isPerson ? "" : dialog.invitation.email };

  async function confirm() {
    const answer = await send(
      isPerson
        ? { kind: "remove", member: dialog.member.id }
        : { kind: "revoke", invitation: dialog.invitation.id },
    );
    if (answer?.kind === "failed") onResult(answer);
    else if (answer && you) location.assign("/");
    else if (answer)
      onResult({ kind: "done", text: t(isPerson ? "done.removed" : "done.revoked", about) });
  }
  return (
    <ConfirmDialog
      title={t(`${words}.title`, about)}
      confirmLabel={t(`${words}.confirm`)}
      tone="danger"
      pending={pending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      <Sentences
        of={[
          t(`${words}.text`, about),
          staying.length > 0
            ? t("removeDialog.staying", { count: staying.length, list: staying.join(", ") })
            : null,
        ]}
      />
    </ConfirmDialog>
  );
}

type InviteSheetProps = {
  partner: string;
  /** The invitation that gets a new link; null for a new invitation. */
  renewing: Invitation | null;
  onClose: () => void;
};

type Typed = Invite & { name: string };

/** An empty name is left out, because it is optional. */
const typedSchema = z.pipe(
  z.transform(({ name, ...rest }: Typed): Invite =>
    name.trim() === "" ? rest : { ...rest, name },
  ),
  inviteSchema,
);

/** Asks whom to invite, then says how the link is delivered. */
function InviteSheet({ partner, renewing, onClose }: InviteSheetProps) {
  const t = useTranslations("team");
  const [invited, setInvited] = useState<Invited | null>(null);
  const typed: Typed = {
    email: renewing?.email ?? "",
    name: renewing?.name ?? "",
    role: renewing?.role ?? "viewer",
  };
  const form = useApiForm({
    schema: typedSchema,
    values: typed,
    errorOf: useFieldError("team.fieldErrors"),
    mutation: useInvite(partner),
    onDone: setInvited,
  });
  const role = useController({ control: form.control, name: "role" }).field;
  return (
    <SheetForm
      title={t(renewing ? "inviteSheet.newLinkTitle" : "inviteSheet.title")}
      description={
        renewing ? t("inviteSheet.newLinkText", { email: renewing.email }) : t("inviteSheet.text")
      }
      submit={t(renewing ? "inviteSheet.newLinkSubmit" : "inviteSheet.submit")}
      form={form}
      onClose={onClose}
      sent={invited && { to: invited.invitation.email, delivery: invited.mail, link: "invitation" }}
    >
      <TextField
        type="email"
        required
        label={t("inviteSheet.email")}
        hint={t("inviteSheet.emailHint")}
        readOnly={renewing !== null}
        {...form.field("email")}
      />
      {renewing ? null : <TextField label={t("inviteSheet.name")} {...form.field("name")} />}
      <RoleChoice value={role.value} onChange={role.onChange} />
    </SheetForm>
  );
}

/** Asks for an alert address, then says how the link that confirms it is delivered. */
function AlertAddressSheet({ partner, onClose }: { partner: string; onClose: () => void }) {
  const t = useTranslations("team.alertAddresses");
  const [sent, setSent] = useState<{ to: string; delivery: LinkDelivery } | null>(null);
  const form = useApiForm({
    schema: alertAddressSchema,
    values: { address: "" },
    errorOf: useFieldError("team.fieldErrors"),
    mutation: useAddAlertAddress(partner),
    onAnswer: (answer, { address }) => {
      if (answer.kind === "done") setSent({ to: address, delivery: answer.result.mail });
    },
  });
  return (
    <SheetForm
      title={t("addTitle")}
      description={t("addText")}
      submit={t("addSubmit")}
      form={form}
      onClose={onClose}
      sent={sent && { ...sent, link: "alertAddress" }}
    >
      <TextField
        type="email"
        required
        label={t("address")}
        hint={t("addressHint")}
        {...form.field("address")}
      />
    </SheetForm>
  );
}

type RoleSheetProps = {
  partner: string;
  member: Member;
  onDone: (role: PartnerRole) => void;
  onClose: () => void;
};

function RoleSheet({ partner, member, onDone, onClose }: RoleSheetProps) {
  const t = useTranslations("team");
  const change = useTeamChange(partner);
  const form = useApiForm({
    schema: roleChangeSchema,
    values: { role: member.role },
    mutation: {
      ...change,
      send: ({ role }) => change.send({ kind: "role", member: member.id, role }),
    },
    onDone: () => onDone(role.value),
  });
  const role = useController({ control: form.control, name: "role" }).field;
  const { name } = member;
  return (
    <SheetForm
      title={t("roleSheet.title", { name })}
      description={member.you ? t("roleSheet.yourself") : t("roleSheet.text", { name })}
      submit={t("roleSheet.submit")}
      nothingToSend={role.value === member.role}
      form={form}
      onClose={onClose}
    >
      <RoleChoice value={role.value} onChange={role.onChange} />
    </SheetForm>
  );
}

type RoleChoiceProps = { value: PartnerRole; onChange: (role: PartnerRole) => void };

/** The roles, each with what it adds to the previous one. */
function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const t = useTranslations();
  return (
    <RadioList
      label={t("team.members.role")}
      value={value}
      onChange={onChange}
      options={partnerRoles.map((role) => ({
        value: role,
        label: t(`common.roles.${role}`),
        description: t(`team.roles.${role}`),
      }))}
    />
  );
}
