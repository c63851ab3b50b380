"use client";

import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Badge } from "@/components/ui/badge";
import { MenuItem, RowMenu } from "@/components/ui/menu";
import { Cell, RowHeading, Table } from "@/components/ui/table";
import type { StaffPerson } from "@/lib/staff/model/staff";
import { Ban, Clock } from "lucide-react";
import { useTranslations } from "next-intl";

type StaffTableProps = {
  people: readonly StaffPerson[];
  onDisable: (person: StaffPerson) => void;
  onEnable: (person: StaffPerson) => void;
};

/** The people who run the installation. On a phone, role and status stand under the name. */
export function StaffTable({ people, ...act }: StaffTableProps) {
  const t = useTranslations("installation.staff");
  return (
    <Table
      caption={t("caption")}
      columns={[
        { name: t("name") },
        { name: t("role"), className: "max-md:hidden" },
        { name: t("status"), className: "max-md:hidden" },
        { name: t("actions"), isScreenReaderOnly: true, className: "w-0" },
      ]}
    >
      {people.map((person) => (
        <tr key={person.id}>
          <RowHeading>
            <span className="flex min-w-0 items-center gap-2.5">
              <InitialsTile name={person.name} kind="person" />
              <span className="flex min-w-0 flex-col gap-0.5">
                <span className="[overflow-wrap:anywhere]">
                  {person.name}
                  {person.you ? <span className="text-ink-3"> · {t("you")}</span> : null}
                </span>
                <span className="text-small [overflow-wrap:anywhere] text-ink-3">
                  {person.email}
                </span>
                <span className="flex flex-wrap items-center gap-2 md:hidden">
                  <span className="text-small">{t(`roles.${person.role}`)}</span>
                  <StateBadge person={person} />
                </span>
              </span>
            </span>
          </RowHeading>
          <Cell className="max-md:hidden">{t(`roles.${person.role}`)}</Cell>
          <Cell className="max-md:hidden">
            <StateBadge person={person} />
          </Cell>
          <Cell className="pl-0">
            <PersonMenu person={person} {...act} />
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

function StateBadge({ person: { disabled, waiting } }: { person: StaffPerson }) {
  const t = useTranslations("installation.staff.states");
  if (disabled)
    return (
      <Badge tone="bad" icon={<Ban aria-hidden />}>
        {t("disabled")}
      </Badge>
    );
  if (waiting)
    return (
      <Badge tone="neutral" icon={<Clock aria-hidden />}>
        {t("waiting")}
      </Badge>
    );
  return <Badge tone="ok">{t("active")}</Badge>;
}

type PersonMenuProps = Omit<StaffTableProps, "people"> & { person: StaffPerson };

function PersonMenu({ person, onDisable, onEnable }: PersonMenuProps) {
  const t = useTranslations("installation.staff");
  // Only another operator can remove one's access.
  if (person.you) return null;
  return (
    <RowMenu label={t("manage", { name: person.name })}>
      {person.disabled ? (
        <MenuItem onSelect={() => onEnable(person)}>{t("enable")}</MenuItem>
      ) : null}
      {person.disabled ? null : (
        <MenuItem onSelect={() => onDisable(person)}>{t("disable")}</MenuItem>
      )}
    </RowMenu>
  );
}
