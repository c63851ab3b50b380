"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { CopyField } from "@/components/forms/copy-field";
import { Notice } from "@/components/ui/notice";
import { Sheet } from "@/components/ui/sheet";
import { useDisableStaff, useNewStaffLink } from "@/lib/staff/client/use-staff-change";
import type { IssuedLink, StaffPerson } from "@/lib/staff/model/staff";
import { UserPlus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AddStaffSheet } from "./add-staff-sheet";
import { StaffTable } from "./staff-table";

type Action =
  { kind: "add" } | { kind: "link"; issued: IssuedLink } | { kind: "disable"; person: StaffPerson };

/** The staff of the installation, and an operator's actions on them. */
export function StaffSection({ people }: { people: readonly StaffPerson[] }) {
  const t = useTranslations("installation");
  const [action, setAction] = useState<Action | null>(null);
  const newLink = useNewStaffLink();
  const access = useDisableStaff();

  async function renew({ id }: StaffPerson) {
    access.reset();
    const issued = await newLink.send(id);
    if (issued?.kind === "done") setAction({ kind: "link", issued: issued.result });
  }

  async function setDisabled({ id }: StaffPerson, disabled: boolean) {
    newLink.reset();
    await access.send({ person: id, disabled });
    setAction(null);
  }

  return (
    <section aria-labelledby="staff" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="staff" className="text-base font-semibold">
            {t("staff.title")}
          </h2>
          <p className="mt-1 text-pretty text-ink-2">{t("staff.text")}</p>
        </div>
        <Button icon={<UserPlus aria-hidden />} onClick={() => setAction({ kind: "add" })}>
          {t("staff.add")}
        </Button>
      </div>
      <FailureNotice
        failure={newLink.failure ?? access.failure}
        unreachable={t("failed.unreachable")}
      />
      <StaffTable
        people={people}
        onNewLink={(person) => void renew(person)}
        onDisable={(person) => setAction({ kind: "disable", person })}
        onEnable={(person) => void setDisabled(person, false)}
      />
      {action?.kind === "add" ? (
        <AddStaffSheet
          onAdded={(issued) => setAction({ kind: "link", issued })}
          onClose={() => setAction(null)}
        />
      ) : null}
      {action?.kind === "link" ? (
        <LinkSheet issued={action.issued} onClose={() => setAction(null)} />
      ) : null}
      {action?.kind === "disable" ? (
        <DisableDialog
          person={action.person}
          pending={access.pending}
          onConfirm={() => void setDisabled(action.person, true)}
          onCancel={() => setAction(null)}
        />
      ) : null}
    </section>
  );
}

/** How the person signs in first: the link, this once, since nobody can read it again; or that it was mailed. */
function LinkSheet({ issued, onClose }: { issued: IssuedLink; onClose: () => void }) {
  const t = useTranslations();
  const { name } = issued.person;
  return (
    <Sheet
      open
      title={t("installation.link.title", { name })}
      {...(issued.link !== null && { description: t("installation.link.text", { name }) })}
      onCloseRequest={onClose}
      footer={<Button onClick={onClose}>{t("installation.link.done")}</Button>}
    >
      <Way issued={issued} />
    </Sheet>
  );
}

function Way({ issued: { person, link, mail } }: { issued: IssuedLink }) {
  const t = useTranslations();
  const { name, email } = person;
  if (mail === "sent")
    return (
      <Notice tone="ok" role="status">
        {t("installation.link.mailed", { email })}
      </Notice>
    );
  if (mail === "failed")
    return (
      <Notice tone="bad" role="alert">
        {t("installation.link.mailFailed", { email })}
      </Notice>
    );
  if (link === null)
    return (
      <Notice tone="info" role="status">
        {t("installation.link.none", { name, email })}
      </Notice>
    );
  return (
    <div className="flex flex-col gap-4">
      <CopyField
        label={t("installation.link.label")}
        text={link}
        copyLabel={t("installation.link.copy")}
      />
      <p className="text-small text-pretty text-ink-2">{t("installation.link.byHand")}</p>
    </div>
  );
}

type DisableDialogProps = {
  person: StaffPerson;
  pending: boolean;
  onConfirm: () => void;
  onCancel: () => void;
};

function DisableDialog({ person, ...rest }: DisableDialogProps) {
  const t = useTranslations();
  return (
    <ConfirmDialog
      open
      tone="danger"
      title={t("installation.disable.title", { name: person.name })}
      confirmLabel={t("installation.disable.confirm")}
      {...rest}
    >
      {t("installation.disable.text")}
    </ConfirmDialog>
  );
}
