"use client";

import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Badge } from "@/components/ui/badge";
import { Menu, MenuItem } from "@/components/ui/menu";
import type { StaffPerson } from "@/lib/staff/model/staff";
import { Ban, Clock, Ellipsis, MailQuestionMark } from "lucide-react";
import { useTranslations } from "next-intl";

type StaffTableProps = {
  people: readonly StaffPerson[];
  onNewLink: (person: StaffPerson) => void;
  onDisable: (person: StaffPerson) => void;
  onEnable: (person: StaffPerson) => void;
};

const head = "bg-sunken px-4 py-2 text-left text-small font-medium text-ink-2";
const cell = "border-t border-line px-4 py-2.5 align-middle";

/** The people who run the installation. On a phone, role and status stand under the name. */
export function StaffTable({ people, ...act }: StaffTableProps) {
  const t = useTranslations("installation.staff");
  return (
    <div className="rounded-card border border-line bg-surface shadow-card">
      <table className="w-full border-separate border-spacing-0">
        <caption className="sr-only">{t("caption")}</caption>
        <thead>
          <tr>
            <th scope="col" className={`${head} rounded-tl-card`}>
              {t("name")}
            </th>
            <th scope="col" className={`${head} max-md:hidden`}>
              {t("role")}
            </th>
            <th scope="col" className={`${head} max-md:hidden`}>
              {t("status")}
            </th>
            <th scope="col" className={`${head} w-0 rounded-tr-card`}>
              <span className="sr-only">{t("actions")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.id}>
              <th scope="row" className={`${cell} text-left font-normal`}>
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
              </th>
              <td className={`${cell} max-md:hidden`}>{t(`roles.${person.role}`)}</td>
              <td className={`${cell} max-md:hidden`}>
                <StateBadge person={person} />
              </td>
              <td className={`${cell} pl-0`}>
                <PersonMenu person={person} {...act} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StateBadge({ person: { disabled, standing } }: { person: StaffPerson }) {
  const t = useTranslations("installation.staff.states");
  if (disabled)
    return (
      <Badge tone="bad" icon={<Ban aria-hidden />}>
        {t("disabled")}
      </Badge>
    );
  if (standing === "unproven")
    return (
      <Badge tone="warn" icon={<MailQuestionMark aria-hidden />}>
        {t("unproven")}
      </Badge>
    );
  if (standing === "waiting")
    return (
      <Badge tone="neutral" icon={<Clock aria-hidden />}>
        {t("waiting")}
      </Badge>
    );
  return <Badge tone="ok">{t("active")}</Badge>;
}

type PersonMenuProps = Omit<StaffTableProps, "people"> & { person: StaffPerson };

function PersonMenu({ person, onNewLink, onDisable, onEnable }: PersonMenuProps) {
  const t = useTranslations("installation.staff");
  return (
    <Menu
      label={t("manage", { name: person.name })}
      align="end"
      menuClassName="min-w-52"
      trigger={<Ellipsis aria-hidden className="size-4" />}
      triggerClassName="inline-flex size-9 items-center justify-center rounded-control text-ink-2 hover:bg-hover hover:text-ink"
    >
      {person.disabled ? (
        <MenuItem onSelect={() => onEnable(person)}>{t("enable")}</MenuItem>
      ) : null}
      {person.link === null ? null : (
        <MenuItem onSelect={() => onNewLink(person)}>{t("newLink")}</MenuItem>
      )}
      {person.disabled || person.you ? null : (
        <MenuItem onSelect={() => onDisable(person)}>{t("disable")}</MenuItem>
      )}
    </Menu>
  );
}
