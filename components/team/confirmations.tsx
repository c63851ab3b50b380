"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { Invitation, Member } from "@/lib/team/model/team";
import { useTeamChange, type TeamChange } from "@/lib/team/client/use-team-change";
import { useTranslations } from "next-intl";

type AskProps = {
  partner: { id: string; name: string };
  onDone: () => void;
  onFailed: (failure: Failure) => void;
  onCancel: () => void;
};

export function RemoveDialog({ member, ...ask }: AskProps & { member: Member }) {
  const t = useTranslations("team.removeDialog");
  const { name } = member;
  const partner = ask.partner.name;
  return (
    <ChangeDialog
      {...ask}
      change={{ kind: "remove", member: member.id }}
      title={t("title", { name })}
      confirm={t("confirm")}
    >
      {member.you ? t("yourself", { partner }) : t("text", { name, partner })}
    </ChangeDialog>
  );
}

export function RevokeDialog({ invitation, ...ask }: AskProps & { invitation: Invitation }) {
  const t = useTranslations("team.revokeDialog");
  return (
    <ChangeDialog
      {...ask}
      change={{ kind: "revoke", invitation: invitation.id }}
      title={t("title")}
      confirm={t("confirm")}
    >
      {t("text", { email: invitation.email })}
    </ChangeDialog>
  );
}

type ChangeDialogProps = AskProps & {
  change: TeamChange;
  title: string;
  confirm: string;
  children: string;
};

/** Asks before something is taken away, and does it. */
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
      open
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
