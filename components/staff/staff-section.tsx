"use client";

import { Section } from "@/components/ui/section";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { useDisableStaff } from "@/lib/staff/client/use-staff-change";
import type { StaffPerson } from "@/lib/staff/model/staff";
import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AddStaffSheet } from "./add-staff-sheet";
import { StaffTable } from "./staff-table";

type Action = { kind: "add" } | { kind: "disable"; person: StaffPerson };

/** The staff of the installation, and an operator's actions on them. */
export function StaffSection({ people }: { people: readonly StaffPerson[] }) {
  const t = useTranslations("installation");
  const [action, setAction] = useState<Action | null>(null);
  const access = useDisableStaff();

  async function setDisabled({ id }: StaffPerson, disabled: boolean) {
    await access.send({ person: id, disabled });
    setAction(null);
  }

  return (
    <Section
      bare
      title={t("staff.title")}
      text={t("staff.text")}
      state={
        <Button icon={<UserPlus aria-hidden />} onClick={() => setAction({ kind: "add" })}>
          {t("staff.add")}
        </Button>
      }
    >
      <FailureNotice failure={access.failure} unreachable={t("failed.unreachable")} />
      <StaffTable
        people={people}
        onDisable={(person) => setAction({ kind: "disable", person })}
        onEnable={(person) => void setDisabled(person, false)}
      />
      {action?.kind === "add" ? <AddStaffSheet onClose={() => setAction(null)} /> : null}
      {action?.kind === "disable" ? (
        <ConfirmDialog
          tone="danger"
          title={t("disable.title", { name: action.person.name })}
          confirmLabel={t("disable.confirm")}
          pending={access.pending}
          onConfirm={() => void setDisabled(action.person, true)}
          onCancel={() => setAction(null)}
        >
          {t("disable.text")}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
