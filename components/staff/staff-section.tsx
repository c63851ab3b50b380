"use client";

import { Section } from "@/components/ui/section";
import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { apiPath, sendJson } from "@/lib/platform/http/client/fetch-json";
import { useApiMutation } from "@/lib/platform/http/client/use-api-mutation";
import {
  type StaffPerson,
  addedStaffSchema,
  changedStaffSchema,
  newStaffSchema,
  type AddedStaff,
  type NewStaff,
} from "@/lib/staff/model/staff";
import { UserPlus, Ban, Clock } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { InitialsTile } from "@/components/layout/nav/initials-tile";
import { Badge } from "@/components/ui/badge";
import { MenuItem, RowMenu } from "@/components/ui/menu";
import { Cell, RowHeading, Table } from "@/components/ui/table";
import { RadioList } from "@/components/forms/choice";
import { SheetForm } from "@/components/forms/sheet-form";
import { TextField } from "@/components/forms/text-field";
import { useApiForm } from "@/components/forms/use-api-form";
import { useFieldError } from "@/components/forms/use-field-error";
import { useController } from "react-hook-form";

/** Milliseconds. */
const timeout = 15_000;

type Action = { kind: "add" } | { kind: "disable"; person: StaffPerson };

/** The staff of the installation, and an operator's actions on them. */
export function StaffSection({ people }: { people: readonly StaffPerson[] }) {
  const t = useTranslations("installation");
  const [action, setAction] = useState<Action | null>(null);
  const access = useApiMutation(
    ({ person, disabled }: { person: string; disabled: boolean }) =>
      sendJson(apiPath("staff", person), {
        method: "PATCH",
        body: { disabled },
        timeout,
        parse: (body) => changedStaffSchema.safeParse(body).data,
      }),
    { refreshes: true },
  );

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
      <FailureNotice failure={access.failure} />
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
          onClose={() => setAction(null)}
        >
          {t("disable.text")}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}

type StaffTableProps = {
  people: readonly StaffPerson[];
  onDisable: (person: StaffPerson) => void;
  onEnable: (person: StaffPerson) => void;
};

/** The people who run the installation. On a phone, role and status are under the name. */
function StaffTable({ people, onDisable, onEnable }: StaffTableProps) {
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
                  <span>{person.name}</span>
                  {person.you ? <span className="text-ink-3">{` · ${t("you")}`}</span> : null}
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
            {/* Operators cannot remove their own access. */}
            {person.you ? null : (
              <RowMenu label={t("manage", { name: person.name })}>
                {person.disabled ? (
                  <MenuItem onSelect={() => onEnable(person)}>{t("enable")}</MenuItem>
                ) : (
                  <MenuItem onSelect={() => onDisable(person)}>{t("disable")}</MenuItem>
                )}
              </RowMenu>
            )}
          </Cell>
        </tr>
      ))}
    </Table>
  );
}

const states = {
  disabled: { tone: "bad", icon: <Ban aria-hidden /> },
  waiting: { tone: "neutral", icon: <Clock aria-hidden /> },
  active: { tone: "ok", icon: undefined },
} as const;

function StateBadge({ person: { disabled, waiting } }: { person: StaffPerson }) {
  const t = useTranslations("installation.staff.states");
  const state = disabled ? "disabled" : waiting ? "waiting" : "active";
  return <Badge {...states[state]}>{t(state)}</Badge>;
}

/** Asks whom to add, then says how the link is delivered. */
function AddStaffSheet({ onClose }: { onClose: () => void }) {
  const [added, setAdded] = useState<AddedStaff | null>(null);
  const t = useTranslations("installation");
  const nobody: NewStaff = { name: "", email: "", role: "support" };
  const form = useApiForm({
    schema: newStaffSchema,
    values: nobody,
    errorOf: useFieldError("installation.fieldErrors"),
    mutation: useApiMutation(
      (person: NewStaff) =>
        sendJson("/api/staff", {
          body: person,
          timeout,
          parse: (body) => addedStaffSchema.safeParse(body).data,
        }),
      { refreshes: true },
    ),
    onDone: setAdded,
  });
  const role = useController({ control: form.control, name: "role" }).field;
  return (
    <SheetForm
      title={t("add.title")}
      description={t("add.description")}
      submit={t("add.submit")}
      form={form}
      onClose={onClose}
      sent={added && { to: added.person.email, delivery: added.mail, link: "password" }}
    >
      <TextField required label={t("add.name")} hint={t("add.nameHint")} {...form.field("name")} />
      <TextField type="email" required label={t("add.email")} {...form.field("email")} />
      <RadioList
        label={t("add.role")}
        value={role.value}
        onChange={role.onChange}
        options={(["support", "operator"] as const).map((value) => ({
          value,
          label: t(`staff.roles.${value}`),
          description: t(`add.${value}Hint`),
        }))}
      />
    </SheetForm>
  );
}
