"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { lazyPart } from "@/components/layout/lazy-part";
import { Button } from "@/components/ui/button";
import { MenuItem, RowMenu } from "@/components/ui/menu";
import type { ChangedPartner } from "@/lib/partners/model/change-requests";
import type { PartnerLine } from "@/lib/partners/model/page";
import { useTranslations } from "next-intl";
import { useEffect, useState } from "react";
import type { Act } from "./operator-dialog";

// Forms and their rules would be a fifth of the page's code, and only operators use them.
const { LazyPart: OperatorDialog, preload } = lazyPart(() =>
  import("./operator-dialog").then((module) => module.OperatorDialog),
);
export const preloadOperatorDialog = preload;

type Done = { act: Act; partner: ChangedPartner };

/** The operator's current action on the list, and the outcome of the last one. */
export function useOperatorActions() {
  const [act, setAct] = useState<Act | null>(null);
  const [done, setDone] = useState<Done | null>(null);
  return {
    act,
    done,
    begin(next: Act) {
      setDone(null);
      setAct(next);
    },
    close: () => setAct(null),
    finish(partner: ChangedPartner) {
      if (act) setDone({ act, partner });
      setAct(null);
    },
  };
}

/** The dialog of the current action, and the result of the last one. */
export function OperatorActions(props: ReturnType<typeof useOperatorActions>) {
  const { act, done, begin, close, finish } = props;
  const t = useTranslations("partners");
  const name = done?.partner.name ?? "";
  return (
    <>
      {act ? <OperatorDialog act={act} onDone={finish} onClose={close} /> : null}
      <ResultNotice
        result={
          done && {
            tone: "ok",
            children:
              done.act.kind === "create"
                ? t("create.created", { name })
                : done.act.kind === "rename"
                  ? t("rename.done", { before: done.act.partner.name, after: name })
                  : t(done.partner.suspended ? "suspend.done" : "resume.done", { name }),
            actions:
              done.act.kind === "create" ? (
                <Button onClick={() => begin({ kind: "first_admin", partner: done.partner })}>
                  {t("firstAdmin.next")}
                </Button>
              ) : null,
          }
        }
      />
    </>
  );
}

/** In the open menu: one of its dialogs is about to open. */
function Preload() {
  useEffect(preload, []);
  return null;
}

type ManageMenuProps = { partner: PartnerLine; onBegin: (act: Act) => void };

/** An operator's actions on one partner. */
export function ManageMenu({ partner, onBegin }: ManageMenuProps) {
  const t = useTranslations("partners");
  return (
    <RowMenu label={t("manage.menu", { partner: partner.name })}>
      <Preload />
      <MenuItem onSelect={() => onBegin({ kind: "first_admin", partner })}>
        {t("firstAdmin.menu")}
      </MenuItem>
      <MenuItem onSelect={() => onBegin({ kind: "rename", partner })}>
        {t("manage.rename")}
      </MenuItem>
      <MenuItem onSelect={() => onBegin({ kind: "suspend", partner })}>
        {t(partner.suspended ? "manage.resume" : "manage.suspend")}
      </MenuItem>
    </RowMenu>
  );
}
