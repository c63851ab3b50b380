"use client";

import { RowMenu, MenuItem } from "@/components/ui/menu";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Badge } from "@/components/ui/badge";
import { Cell, RowHeading, Table } from "@/components/ui/table";
import { RelativeTime } from "@/components/ui/time";
import type { Member } from "@/lib/team/model/team";
import { UserRound } from "lucide-react";
import { useTranslations } from "next-intl";

type MembersTableProps = {
  members: readonly Member[];
  onChangeRole: (member: Member) => void;
  onRemove: (member: Member) => void;
};

export function MembersTable({ members, onChangeRole, onRemove }: MembersTableProps) {
  const t = useTranslations("team.members");
  const onlyAdmin = members.filter(({ role }) => role === "admin").length === 1;
  return (
    <Table
      bareOnPhone
      columns={[
        { name: t("person") },
        { name: t("role"), className: "max-sm:hidden" },
        { name: t("since"), className: "max-md:hidden" },
        { name: t("actions"), isScreenReaderOnly: true },
      ]}
    >
      {members.map((member) => (
        <MemberRow
          key={member.id}
          member={member}
          locked={onlyAdmin && member.role === "admin"}
          onChangeRole={() => onChangeRole(member)}
          onRemove={() => onRemove(member)}
        />
      ))}
    </Table>
  );
}

type MemberRowProps = {
  member: Member;
  /** The only admin: they can neither change role nor leave. */
  locked: boolean;
  onChangeRole: () => void;
  onRemove: () => void;
};

function MemberRow({ member, locked, onChangeRole, onRemove }: MemberRowProps) {
  const t = useTranslations();
  const { name, email } = member;
  const role = t(`common.roles.${member.role}`);
  return (
    <tr>
      <RowHeading>
        <div className="flex min-w-0 items-start gap-3">
          <InitialsTile name={name} kind="person" className="mt-0.5 max-sm:hidden" />
          <div className="flex min-w-0 flex-col gap-0.5">
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <span className="font-medium [overflow-wrap:anywhere]">{name}</span>
              {member.you ? (
                <Badge tone="neutral" icon={<UserRound aria-hidden />}>
                  {t("team.members.you")}
                </Badge>
              ) : null}
            </span>
            <span className="text-small [overflow-wrap:anywhere] text-ink-3">{email}</span>
            <span className="text-small text-ink-2 sm:hidden">{role}</span>
            {locked ? (
              <span className="max-w-prose text-small text-pretty text-ink-3">
                {t("team.members.lastAdmin")}
              </span>
            ) : null}
          </div>
        </div>
      </RowHeading>
      <Cell className="max-sm:hidden">{role}</Cell>
      <Cell className="text-ink-2 max-md:hidden">
        <RelativeTime at={member.since} />
      </Cell>
      <Cell className="w-px">
        {locked ? null : (
          <RowMenu label={t("team.members.manage", { name })}>
            <MenuItem onSelect={onChangeRole}>{t("team.members.changeRole")}</MenuItem>
            <MenuItem onSelect={onRemove}>{t("team.members.remove")}</MenuItem>
          </RowMenu>
        )}
      </Cell>
    </tr>
  );
}
