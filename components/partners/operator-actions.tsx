"use client";

import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { ChangedPartner } from "@/lib/partners/model/change-requests";
import type { PartnerLine } from "@/lib/partners/model/page";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FirstAdminSheet } from "./first-admin-sheet";
import { ManageMenu } from "./manage-menu";
import { NewPartnerSheet } from "./new-partner-sheet";
import { RenameSheet } from "./rename-sheet";
import { SuspendDialog } from "./suspend-dialog";

type Act =
  | { kind: "create" }
  | { kind: "first_admin"; partner: { id: string; name: string } }
  | { kind: "rename" | "suspend"; partner: PartnerLine };

/** What an operator is doing to the list, and what came of the last thing. */
export function useOperatorActions() {
  const [act, setAct] = useState<Act | null>(null);
  const [done, setDone] = useState<{ act: Act; partner: ChangedPartner } | null>(null);

  function begin(next: Act) {
    setDone(null);
    setAct(next);
  }

  return {
    act,
    done,
    create: () => begin({ kind: "create" }),
    inviteFirstAdmin: (partner: { id: string; name: string }) =>
      begin({ kind: "first_admin", partner }),
    actionsOf: (partner: PartnerLine) => (
      <ManageMenu
        partner={partner}
        onFirstAdmin={() => begin({ kind: "first_admin", partner })}
        onRename={() => begin({ kind: "rename", partner })}
        onSuspend={() => begin({ kind: "suspend", partner })}
      />
    ),
    close: () => setAct(null),
    finish: (partner: ChangedPartner) => {
      if (act) setDone({ act, partner });
      setAct(null);
    },
  };
}

type OperatorActionsProps = Pick<
  ReturnType<typeof useOperatorActions>,
  "act" | "done" | "close" | "finish" | "inviteFirstAdmin"
>;

/** The dialog of what is being done, and the result of what was. */
export function OperatorActions(props: OperatorActionsProps) {
  const { act, done, close, finish, inviteFirstAdmin } = props;
  return (
    <>
      {act?.kind === "create" ? <NewPartnerSheet onDone={finish} onClose={close} /> : null}
      {act?.kind === "rename" ? (
        <RenameSheet partner={act.partner} onDone={finish} onClose={close} />
      ) : null}
      {act?.kind === "suspend" ? (
        <SuspendDialog partner={act.partner} onDone={finish} onClose={close} />
      ) : null}
      {act?.kind === "first_admin" ? (
        <FirstAdminSheet partner={act.partner} onClose={close} />
      ) : null}
      {done ? <Result {...done} onInvite={() => inviteFirstAdmin(done.partner)} /> : null}
    </>
  );
}

type ResultProps = { act: Act; partner: ChangedPartner; onInvite: () => void };

function Result({ act, partner, onInvite }: ResultProps) {
  const t = useTranslations("partners");
  switch (act.kind) {
    case "create":
      return (
        <Notice
          tone="ok"
          role="status"
          actions={<Button onClick={onInvite}>{t("firstAdmin.next")}</Button>}
        >
          {t("create.created", { name: partner.name })}
        </Notice>
      );
    case "rename":
      return (
        <Notice tone="ok" role="status">
          {t("rename.done", { before: act.partner.name, after: partner.name })}
        </Notice>
      );
    case "suspend":
      return (
        <Notice tone="ok" role="status">
          {t(partner.suspended ? "suspend.done" : "resume.done", { name: partner.name })}
        </Notice>
      );
    case "first_admin":
      return null;
  }
}
