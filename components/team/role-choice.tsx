"use client";

import { RadioList } from "@/components/forms/radio-list";
import { teamRoles, type TeamRole } from "@/lib/team/model/requests";
import { useTranslations } from "next-intl";

type RoleChoiceProps = { value: TeamRole; onChange: (role: TeamRole) => void };

/** The roles, each with what it adds to the one before. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const t = useTranslations();
  return (
    <RadioList
      label={t("team.members.role")}
      value={value}
      onChange={onChange}
      options={teamRoles.map((role) => ({
        value: role,
        label: t(`common.roles.${role}`),
        description: t(`team.roles.${role}`),
      }))}
    />
  );
}
