"use client";

import { ResultNotice } from "@/components/forms/result-notice";
import { Button } from "@/components/ui/button";
import { ConfirmDialog } from "@/components/ui/confirm-dialog";
import { yieldsFocus } from "@/components/ui/focus-content";
import { Section } from "@/components/ui/section";
import type { AccountPartner } from "@/lib/account/model/account";
import { useLeave } from "@/lib/team/client/use-team-change";
import { Building2 } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AccountLine } from "./account-line";

/** The partners that the person belongs to, and how to leave one; nothing where there are none and none was left. */
export function PartnersSection({ partners }: { partners: readonly AccountPartner[] }) {
  const t = useTranslations("account.partners");
  const roles = useTranslations("common.roles");
  const { pending, failure, send } = useLeave();
  const [leaving, setLeaving] = useState<AccountPartner | null>(null);
  const [left, setLeft] = useState<string | null>(null);

  async function leave({ id, name }: AccountPartner) {
    setLeft(null);
    const answer = await send(id);
    setLeaving(null);
    setLeft(answer?.kind === "done" ? name : null);
  }

  if (partners.length === 0 && left === null) return null;
  return (
    <Section anchor="partners" title={t("title")} text={t("text")}>
      <ResultNotice
        result={
          left === null ? { failure } : { tone: "ok", children: t("left", { partner: left }) }
        }
      />
      {partners.length === 0 ? null : (
        <ul className="flex flex-col divide-y divide-line rounded-card border border-line">
          {partners.map((partner) => (
            <AccountLine
              key={partner.id}
              icon={Building2}
              title={partner.name}
              facts={
                <>
                  <span>{roles(partner.role)}</span>
                  {partner.onlyAdmin ? <span>{t("onlyAdmin")}</span> : null}
                </>
              }
            >
              {partner.onlyAdmin ? null : (
                <Button
                  ref={yieldsFocus}
                  size="sm"
                  aria-label={t("leaveNamed", { partner: partner.name })}
                  onClick={() => setLeaving(partner)}
                >
                  {t("leave")}
                </Button>
              )}
            </AccountLine>
          ))}
        </ul>
      )}
      {leaving ? (
        <ConfirmDialog
          tone="danger"
          title={t("confirm.title", { partner: leaving.name })}
          confirmLabel={t("confirm.confirm")}
          pending={pending}
          onConfirm={() => void leave(leaving)}
          onClose={() => setLeaving(null)}
        >
          {t("confirm.text", { partner: leaving.name })}
        </ConfirmDialog>
      ) : null}
    </Section>
  );
}
