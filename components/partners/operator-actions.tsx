"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { Button } from "@/components/ui/button";
import type { ChangedPartner } from "@/lib/partners/model/change-requests";
import type { PartnerLine } from "@/lib/partners/model/page";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import { MenuItem, RowMenu } from "@/components/ui/menu";
import { ResultNotice } from "@/components/forms/result-notice";

// Forms and their rules would be a fifth of the page's code, and only operators use them.
const { LazyPart: NewPartnerSheet, preload: preloadNewPartner } = lazyPart(
  () => import("./new-partner-sheet").then((module) => module.NewPartnerSheet),
  ({ onClose }) => onClose(),
);
const { LazyPart: RenameSheet, preload: preloadRename } = lazyPart(
  () => import("./rename-sheet").then((module) => module.RenameSheet),
  ({ onClose }) => onClose(),
);
const { LazyPart: SuspendDialog, preload: preloadSuspend } = lazyPart(
  () => import("./suspend-dialog").then((module) => module.SuspendDialog),
  ({ onClose }) => onClose(),
);
const { LazyPart: FirstAdminSheet, preload: preloadFirstAdmin } = lazyPart(
  () => import("./first-admin-sheet").then((module) => module.FirstAdminSheet),
  ({ onClose }) => onClose(),
);

type Act =
  | { kind: "create" }
  | { kind: "first_admin"; partner: { id: string; name: string } }
  | { kind: "rename" | "suspend"; partner: PartnerLine };

type Done = { act: Act; partner: ChangedPartner };

/** The operator's current action on the list, and the outcome of the last one. */
export function useOperatorActions() {
  const [act, setAct] = useState<Act | null>(null);
  const [done, setDone] = useState<Done | null>(null);

  function begin(next: Act) {
    setDone(null);
    setAct(next);
  }

  return {
    act,
    done,
    create: () => begin({ kind: "create" }),
    preloadCreate: preloadNewPartner,
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

/** The dialog of the current action, and the result of the last one. */
export function OperatorActions(props: OperatorActionsProps) {
  const { act, done, close, finish, inviteFirstAdmin } = props;
  const t = useTranslations("partners");
  const words = useResultWords();
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
      <ResultNotice
        result={
          done && {
            tone: "ok",
            children: words(done),
            actions:
              done.act.kind === "create" ? (
                <Button onClick={() => inviteFirstAdmin(done.partner)}>
                  {t("firstAdmin.next")}
                </Button>
              ) : null,
          }
        }
      />
    </>
  );
}

function useResultWords() {
  const t = useTranslations("partners");
  return ({ act, partner }: Done): string => {
    switch (act.kind) {
      case "create":
        return t("create.created", { name: partner.name });
      case "rename":
        return t("rename.done", { before: act.partner.name, after: partner.name });
      default:
        return t(partner.suspended ? "suspend.done" : "resume.done", { name: partner.name });
    }
  };
}

/** In the open menu: one of them is about to open. */
function Preload() {
  useEffect(() => {
    preloadFirstAdmin();
    preloadRename();
    preloadSuspend();
  }, []);
  return null;
}

type ManageMenuProps = {
  partner: PartnerLine;
  onFirstAdmin: () => void;
  onRename: () => void;
  onSuspend: () => void;
};

/** An operator's actions on one partner. */
function ManageMenu({ partner, onFirstAdmin, onRename, onSuspend }: ManageMenuProps) {
  const t = useTranslations("partners");
  return (
    <RowMenu label={t("manage.menu", { partner: partner.name })}>
      <Preload />
      <MenuItem onSelect={onFirstAdmin}>{t("firstAdmin.menu")}</MenuItem>
      <MenuItem onSelect={onRename}>{t("manage.rename")}</MenuItem>
      <MenuItem onSelect={onSuspend}>
        {t(partner.suspended ? "manage.resume" : "manage.suspend")}
      </MenuItem>
    </RowMenu>
  );
}
