"use client";

import { RowMenu, MenuItem } from "@/components/ui/menu";
import { usePersonName } from "@/components/ui/person-name";
import { Badge } from "@/components/ui/badge";
import { Card, CardBody } from "@/components/ui/card";
import { Cell, RowHeading, Table } from "@/components/ui/table";
import { AbsoluteTime, RelativeTime } from "@/components/ui/time";
import type { Invitation } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";

type InvitationsTableProps = {
  invitations: readonly Invitation[];
  onRenew: (invitation: Invitation) => void;
  onRevoke: (invitation: Invitation) => void;
};

export function InvitationsTable({ invitations, onRenew, onRevoke }: InvitationsTableProps) {
  const t = useTranslations("team");
  if (invitations.length === 0) {
    return (
      <Card dashed>
        <CardBody className="text-ink-2">{t("invitations.none")}</CardBody>
      </Card>
    );
  }
  return (
    <Table
      bareOnPhone
      columns={[
        { name: t("members.person") },
        { name: t("members.role"), className: "max-sm:hidden" },
        { name: t("invitations.state"), className: "max-md:hidden" },
        { name: t("members.actions"), isScreenReaderOnly: true },
      ]}
    >
      {invitations.map((invitation) => (
        <InvitationRow
          key={invitation.id}
          invitation={invitation}
          onRenew={() => onRenew(invitation)}
          onRevoke={() => onRevoke(invitation)}
        />
      ))}
    </Table>
  );
}

type InvitationRowProps = { invitation: Invitation; onRenew: () => void; onRevoke: () => void };

function InvitationRow({ invitation, onRenew, onRevoke }: InvitationRowProps) {
  const nameOf = usePersonName();
  const t = useTranslations();
  const { email, name, invitedBy, invitedAt } = invitation;
  const role = t(`common.roles.${invitation.role}`);
  const time = () => <RelativeTime at={invitedAt} />;
  return (
    <tr>
      <RowHeading>
        <div className="flex min-w-0 flex-col gap-0.5">
          <span className="font-medium [overflow-wrap:anywhere]">{email}</span>
          {name === null ? null : (
            <span className="text-small [overflow-wrap:anywhere] text-ink-2">{name}</span>
          )}
          <span className="text-small text-ink-3">
            {t.rich("team.invitations.by", { name: nameOf(invitedBy), time })}
          </span>
          <span className="text-small text-ink-2 sm:hidden">{role}</span>
          <span className="text-small text-ink-2 md:hidden">
            <Life invitation={invitation} />
          </span>
        </div>
      </RowHeading>
      <Cell className="max-sm:hidden">{role}</Cell>
      <Cell className="text-ink-2 max-md:hidden">
        <Life invitation={invitation} />
      </Cell>
      <Cell className="w-px">
        <RowMenu label={t("team.members.manage", { name: email })}>
          <MenuItem onSelect={onRenew}>{t("team.invitations.newLink")}</MenuItem>
          <MenuItem onSelect={onRevoke}>{t("team.invitations.revoke")}</MenuItem>
        </RowMenu>
      </Cell>
    </tr>
  );
}

function Life({ invitation }: { invitation: Invitation }) {
  const { expired, inviterLeft, expiresAt } = invitation;
  const t = useTranslations("team.invitations");
  if (expired || inviterLeft)
    return <Badge tone="warn">{t(expired ? "expired" : "inviterLeft")}</Badge>;
  return t.rich("expires", { time: () => <AbsoluteTime at={expiresAt} ahead /> });
}
