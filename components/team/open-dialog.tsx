"use client";

import type { Invitation, Member } from "@/lib/team/model/team";
import { RemoveDialog, RevokeDialog } from "./confirmations";
import { InviteSheet } from "./invite-sheet";
import { MemberLinkSheet } from "./member-link-sheet";
import type { Result } from "./team-result";
import { RoleSheet } from "./role-sheet";

export type Dialog =
  | { kind: "invite"; renewing: Invitation | null }
  | { kind: "role"; member: Member }
  | { kind: "remove"; member: Member }
  | { kind: "link"; member: Member }
  | { kind: "revoke"; invitation: Invitation };

type OpenDialogProps = {
  dialog: Dialog;
  partner: { id: string; name: string };
  onClose: () => void;
  /** Closes it too. */
  onResult: (result: Result) => void;
};

/** The one dialog that is open. Whoever changes themself has no business here any more, and starts over. */
export function OpenDialog({ dialog, partner, onClose, onResult }: OpenDialogProps) {
  const ask = {
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
          {...ask}
          member={dialog.member}
          onDone={() => {
            if (dialog.member.you) location.assign("/");
            else onResult({ kind: "removed", name: dialog.member.name, partner: partner.name });
          }}
        />
      );
    case "link":
      return <MemberLinkSheet partner={partner.id} member={dialog.member} onClose={onClose} />;
    case "revoke":
      return (
        <RevokeDialog
          {...ask}
          invitation={dialog.invitation}
          onDone={() => onResult({ kind: "revoked", email: dialog.invitation.email })}
        />
      );
  }
}
