"use client";

import { RowMenu, MenuItem } from "@/components/ui/menu";
import { Sentences } from "@/components/ui/sentences";
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
  const nameOf = usePersonName();
  const t = useTranslations("team");
  const roles = useTranslations("common.roles");
  if (invitations.length === 0) {
    return (
      <Card dashed>
        <CardBody className="text-ink-2">{t("invitations.none")}</CardBody>
      </Card>
    );
  }
  const validityOf = ({ expired, inviterLeft, expiresAt }: Invitation) =>
    expired || inviterLeft ? (
      <Badge tone="warn">{t(`invitations.${expired ? "expired" : "inviterLeft"}`)}</Badge>
    ) : (
      <Sentences
        of={[t.rich("invitations.expires", { time: () => <AbsoluteTime at={expiresAt} ahead /> })]}
      />
    );
  const inviterOf = ({ invitedBy, invitedAt }: Invitation) => {
    const time = () => <RelativeTime at={invitedAt} />;
    return (
      <Sentences
        of={[
          invitedBy === null
            ? t.rich("invitations.byOperator", { time })
            : t.rich("invitations.by", { name: nameOf(invitedBy), time }),
        ]}
      />
    );
  };
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
        <tr key={invitation.id}>
          <RowHeading>
            <div className="flex min-w-0 flex-col gap-0.5">
              <span className="font-medium [overflow-wrap:anywhere]">{invitation.email}</span>
              <span className="text-small [overflow-wrap:anywhere] text-ink-2 empty:hidden">
                {invitation.name}
              </span>
              <span className="text-small text-ink-3">{inviterOf(invitation)}</span>
              <span className="text-small text-ink-2 sm:hidden">{roles(invitation.role)}</span>
              <span className="text-small text-ink-2 md:hidden">{validityOf(invitation)}</span>
            </div>
          </RowHeading>
          <Cell className="max-sm:hidden">{roles(invitation.role)}</Cell>
          <Cell className="text-ink-2 max-md:hidden">{validityOf(invitation)}</Cell>
          <Cell className="w-px">
            <RowMenu label={t("members.manage", { name: invitation.email })}>
              <MenuItem onSelect={() => onRenew(invitation)}>{t("invitations.newLink")}</MenuItem>
              <MenuItem onSelect={() => onRevoke(invitation)}>{t("invitations.revoke")}</MenuItem>
            </RowMenu>
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
