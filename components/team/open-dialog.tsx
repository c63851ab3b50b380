"use client";

import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useTeamChange } from "@/lib/team/client/use-team-change";
import type { Invitation, Member } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { InviteSheet } from "./invite-sheet";
import { RoleSheet } from "./role-sheet";
import type { Result } from "./team-result";

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
      onCancel={onClose}
    >
      {removal.text}
    </ConfirmDialog>
  );
}
