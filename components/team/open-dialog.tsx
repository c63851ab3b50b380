"use client";

import type { Invitation, Member } from "@/lib/team/model/team";
import { InviteSheet } from "./invite-sheet";
import type { Result } from "./team-result";
import { RoleSheet } from "./role-sheet";
import { useTeamChange, type TeamChange } from "@/lib/team/client/use-team-change";
import { useTranslations } from "next-intl";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Failure } from "@/lib/platform/http/client/fetch-json";

export type Dialog =
  | { kind: "invite"; renewing: Invitation | null }
  | { kind: "role"; member: Member }
  | { kind: "remove"; member: Member }
  | { kind: "revoke"; invitation: Invitation };

type OpenDialogProps = {
  dialog: Dialog;
  partner: { id: string; name: string };
  onClose: () => void;
  /** Also closes it. */
  onResult: (result: Result) => void;
};

/** The one open dialog. A person who changed their own membership has no access here any more, and starts over. */
export function OpenDialog({ dialog, partner, onClose, onResult }: OpenDialogProps) {
  const confirmProps = {
    partner,
    onCancel: onClose,
    onFailed: (failure: Extract<Result, { kind: "failed" }>["failure"]) =>
      onResult({ kind: "failed", failure }),
  };
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
    case "remove":
      return (
        <RemoveDialog
          {...confirmProps}
          member={dialog.member}
          onDone={() => {
            if (dialog.member.you) location.assign("/");
            else onResult({ kind: "removed", name: dialog.member.name, partner: partner.name });
          }}
        />
      );
    case "revoke":
      return (
        <RevokeDialog
          {...confirmProps}
          invitation={dialog.invitation}
          onDone={() => onResult({ kind: "revoked", email: dialog.invitation.email })}
        />
      );
  }
}

type ConfirmProps = {
  partner: { id: string; name: string };
  onDone: () => void;
  onFailed: (failure: Failure) => void;
  onCancel: () => void;
};

function RemoveDialog({ member, ...props }: ConfirmProps & { member: Member }) {
  const t = useTranslations("team.removeDialog");
  const { name } = member;
  const partner = props.partner.name;
  return (
    <ChangeDialog
      {...props}
      change={{ kind: "remove", member: member.id }}
      title={t("title", { name })}
      confirm={t("confirm")}
    >
      {member.you ? t("yourself", { partner }) : t("text", { name, partner })}
    </ChangeDialog>
  );
}

function RevokeDialog({ invitation, ...props }: ConfirmProps & { invitation: Invitation }) {
  const t = useTranslations("team.revokeDialog");
  return (
    <ChangeDialog
      {...props}
      change={{ kind: "revoke", invitation: invitation.id }}
      title={t("title")}
      confirm={t("confirm")}
    >
      {t("text", { email: invitation.email })}
    </ChangeDialog>
  );
}

type ChangeDialogProps = ConfirmProps & {
  change: TeamChange;
  title: string;
  confirm: string;
  children: string;
};

/** Confirms before something is removed, and does it. */
function ChangeDialog(props: ChangeDialogProps) {
  const { partner, change, title, confirm, onDone, onFailed, onCancel, children } = props;
  const { pending, send } = useTeamChange(partner.id);

  async function act() {
    const answer = await send(change);
    if (answer?.kind === "done") onDone();
    else if (answer) onFailed(answer.failure);
  }

  return (
    <ConfirmDialog
      title={title}
      confirmLabel={confirm}
      tone="danger"
      pending={pending}
      onConfirm={() => void act()}
      onCancel={onCancel}
    >
      {children}
    </ConfirmDialog>
  );
}
