"use client";

import { RadioList } from "@/components/forms/choice";
import { SheetForm } from "@/components/forms/sheet-form";
import { useApiForm } from "@/components/forms/use-api-form";
import { useTeamChange } from "@/lib/team/client/use-team-change";
import { partnerRoles, type PartnerRole } from "@/lib/platform/access/model/roles";
import { roleChangeSchema } from "@/lib/team/model/requests";
import type { Member } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";
import { useController } from "react-hook-form";

type RoleSheetProps = {
  partner: string;
  member: Member;
  onDone: (role: PartnerRole) => void;
  onClose: () => void;
};

export function RoleSheet({ partner, member, onDone, onClose }: RoleSheetProps) {
  const t = useTranslations("team");
  const change = useTeamChange(partner);
  const form = useApiForm({
    schema: roleChangeSchema,
    values: { role: member.role },
    mutation: {
      ...change,
      send: ({ role }) => change.send({ kind: "role", member: member.id, role }),
    },
    onDone: () => onDone(role.value),
  });
  const role = useController({ control: form.control, name: "role" }).field;
  const { name } = member;
  return (
    <SheetForm
      title={t("roleSheet.title", { name })}
      description={member.you ? t("roleSheet.yourself") : t("roleSheet.text", { name })}
      submit={t("roleSheet.submit")}
      nothingToSend={role.value === member.role}
      form={form}
      failed={{ title: t("failed.title"), unreachable: t("failed.noAnswer") }}
      onClose={onClose}
    >
      <RoleChoice value={role.value} onChange={role.onChange} />
    </SheetForm>
  );
}

type RoleChoiceProps = { value: PartnerRole; onChange: (role: PartnerRole) => void };

/** The roles, each with what it adds to the one before. */
export function RoleChoice({ value, onChange }: RoleChoiceProps) {
  const t = useTranslations();
  return (
    <RadioList
      label={t("team.members.role")}
      value={value}
      onChange={onChange}
      options={partnerRoles.map((role) => ({
        value: role,
        label: t(`common.roles.${role}`),
        description: t(`team.roles.${role}`),
      }))}
    />
  );
}
