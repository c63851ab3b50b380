"use client";

import { Notice } from "@/components/ui/notice";
import type { ChangedPartner } from "@/lib/partners/change-requests";
import type { PartnerLine } from "@/lib/partners/page";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ManageMenu } from "./manage-menu";
import { NewPartnerSheet } from "./new-partner-sheet";
import { RenameSheet } from "./rename-sheet";
import { SuspendDialog } from "./suspend-dialog";

type Act = { kind: "create" } | { kind: "rename" | "suspend"; partner: PartnerLine };

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
    actionsOf: (partner: PartnerLine) => (
      <ManageMenu
        partner={partner}
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
  "act" | "done" | "close" | "finish"
>;

/** The dialog of what is being done, and the result of what was. */
export function OperatorActions({ act, done, close, finish }: OperatorActionsProps) {
  return (
    <>
      {act?.kind === "create" ? <NewPartnerSheet onDone={finish} onClose={close} /> : null}
      {act?.kind === "rename" ? (
        <RenameSheet partner={act.partner} onDone={finish} onClose={close} />
      ) : null}
      {act?.kind === "suspend" ? (
        <SuspendDialog partner={act.partner} onDone={finish} onClose={close} />
      ) : null}
      {done ? <Result {...done} /> : null}
    </>
  );
}

function Result({ act, partner }: { act: Act; partner: ChangedPartner }) {
  const t = useTranslations("partners");
  return (
    <Notice tone="ok" role="status">
      {act.kind === "create"
        ? t("create.created", { name: partner.name })
        : act.kind === "rename"
          ? t("rename.done", { before: act.partner.name, after: partner.name })
          : t(partner.suspended ? "suspend.done" : "resume.done", { name: partner.name })}
    </Notice>
  );
}
