"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useTeamChange, useInvite } from "@/lib/team/client/use-team-change";
import type { Invitation, Member, Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import type { Result } from "./team-result";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { inviteSchema, type Invite, roleChangeSchema } from "@/lib/team/model/requests";
import { useState } from "react";
import { useController } from "react-hook-form";
import * as z from "zod/mini";
import { RadioList } from "@/components/forms/choice";
import { partnerRoles, type PartnerRole } from "@/lib/platform/access/model/roles";

/** What is about to be removed. */
type Removal = { kind: "remove"; member: Member } | { kind: "revoke"; invitation: Invitation };

export type Dialog =
  { kind: "invite"; renewing: Invitation | null } | { kind: "role"; member: Member } | Removal;

type OpenDialogProps<Shown = Dialog> = {
  dialog: Shown;
  partner: { id: string; name: string };
  onClose: () => void;
  /** Also closes it. */
  onResult: (result: Result) => void;
};

/** The one open dialog. A person who changed their own membership has no access here any more, and starts over. */
export function OpenDialog(props: OpenDialogProps) {
  const { dialog, partner, onClose, onResult } = props;
  switch (dialog.kind) {
    case "invite":
      return <InviteSheet partner={partner.id} renewing={dialog.renewing} onClose={onClose} />;
    case "role":
      return (
        <RoleSheet
          partner={partner.id}
          member={dialog.member}
          onClose={onClose}
          onDone={(role) => {
            if (dialog.member.you) location.assign("/");
            else onResult({ kind: "role", name: dialog.member.name, role });
          }}
        />
      );
    default:
      return <RemovalDialog {...props} dialog={dialog} />;
  }
}

/** Confirms before somebody or an invitation is removed, and does it. */
function RemovalDialog({ dialog, partner, onClose, onResult }: OpenDialogProps<Removal>) {
  const t = useTranslations("team");
  const { pending, send } = useTeamChange(partner.id);
  const removal =
    dialog.kind === "remove" ? removalOf(dialog.member) : revocationOf(dialog.invitation);

  function removalOf({ id, name, you }: Member) {
    const about = { name, partner: partner.name };
    return {
      title: t("removeDialog.title", { name }),
      confirmLabel: t("removeDialog.confirm"),
      text: t(you ? "removeDialog.yourself" : "removeDialog.text", about),
      change: { kind: "remove", member: id } as const,
      done: () => (you ? location.assign("/") : onResult({ kind: "removed", ...about })),
    };
  }
  function revocationOf({ id, email }: Invitation) {
    return {
      title: t("revokeDialog.title"),
      confirmLabel: t("revokeDialog.confirm"),
      text: t("revokeDialog.text", { email }),
      change: { kind: "revoke", invitation: id } as const,
      done: () => onResult({ kind: "revoked", email }),
    };
  }

  async function confirm() {
    const answer = await send(removal.change);
    if (answer?.kind === "done") removal.done();
    else if (answer) onResult(answer);
  }
  return (
    <ConfirmDialog
      title={removal.title}
      confirmLabel={removal.confirmLabel}
      tone="danger"
      pending={pending}
      onConfirm={() => void confirm()}
      onClose={onClose}
    >
      {removal.text}
    </ConfirmDialog>
  );
}

type InviteSheetProps = {
  partner: string;
  /** An open invitation that gets a new link; null for a new one. */
  renewing: Invitation | null;
  onClose: () => void;
};

type Typed = Invite & { name: string };

/** The name is optional. */
const typedSchema = z.pipe(
  z.transform(({ name, ...rest }: Typed): Invite =>
    name.trim() === "" ? rest : { ...rest, name },
  ),
  inviteSchema,
);

/** Asks whom to invite, then says how they get in. */
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
  const words = renewing
    ? {
        title: t("inviteSheet.newLinkTitle"),
        description: t("inviteSheet.newLinkText", { email: renewing.email }),
        submit: t("inviteSheet.newLinkSubmit"),
      }
    : {
        title: t("inviteSheet.title"),
        description: t("inviteSheet.text"),
        submit: t("inviteSheet.submit"),
      };
  return (
    <SheetForm
      {...words}
      form={form}
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
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
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
      onClose={onClose}
    >
      <RoleChoice value={role.value} onChange={role.onChange} />
    </SheetForm>
  );
}

type RoleChoiceProps = { value: PartnerRole; onChange: (role: PartnerRole) => void };

/** The roles, each with what it adds to the one before. */
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
