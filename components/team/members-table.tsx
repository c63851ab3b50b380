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
  const roles = useTranslations("common.roles");
  // The only admin can neither change their role nor leave.
  const [admin, ...others] = members.filter(({ role }) => role === "admin");
  const onlyAdmin = others.length === 0 ? admin : undefined;
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
        <tr key={member.id}>
          <RowHeading>
            <div className="flex min-w-0 items-start gap-3">
              <InitialsTile name={member.name} kind="person" className="mt-0.5 max-sm:hidden" />
              <div className="flex min-w-0 flex-col gap-0.5">
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <span className="font-medium [overflow-wrap:anywhere]">{member.name}</span>
                  {member.you ? (
                    <Badge tone="neutral" icon={<UserRound aria-hidden />}>
                      {t("you")}
                    </Badge>
                  ) : null}
                </span>
                <span className="text-small [overflow-wrap:anywhere] text-ink-3">
                  {member.email}
                </span>
                <span className="text-small text-ink-2 sm:hidden">{roles(member.role)}</span>
                {member.managedBy ? (
                  <span className="text-small text-ink-3">
                    {t("managedBy", { provider: member.managedBy })}
                  </span>
                ) : null}
                {member === onlyAdmin && !member.managedBy ? (
                  <span className="max-w-prose text-small text-pretty text-ink-3">
                    {t("lastAdmin")}
                  </span>
                ) : null}
              </div>
            </div>
          </RowHeading>
          <Cell className="max-sm:hidden">{roles(member.role)}</Cell>
          <Cell className="text-ink-2 max-md:hidden">
            <RelativeTime at={member.since} />
          </Cell>
          <Cell className="w-px">
            {member === onlyAdmin || member.managedBy ? null : (
              <RowMenu label={t("manage", { name: member.name })}>
                <MenuItem onSelect={() => onChangeRole(member)}>{t("changeRole")}</MenuItem>
                <MenuItem onSelect={() => onRemove(member)}>
                  {t(member.you ? "leave" : "remove")}
                </MenuItem>
              </RowMenu>
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}
