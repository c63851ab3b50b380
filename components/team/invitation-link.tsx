"use client";

import { CopyField } from "@/components/ui/copy-field";
import { Notice } from "@/components/ui/notice";
import type { Invited } from "@/lib/team/team";
import { useTranslations } from "next-intl";

/** The link, this once: nobody can read it back afterwards. */
export function InvitationLink({ invited: { invitation, link, mail } }: { invited: Invited }) {
  const t = useTranslations();
  const { email } = invitation;
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="ok" role="status" title={t("team.link.title")}>
        {t(mail === "sent" ? "team.link.sent" : "team.link.once", { email })}
      </Notice>
      {mail === "failed" ? (
        <Notice tone="warn" role="alert">
          {t("team.link.failed", { email })}
        </Notice>
      ) : null}
      <CopyField
        label={t("team.link.label")}
        text={link}
        copyLabel={t("team.link.copy")}
        copiedLabel={t("common.copied")}
        failedLabel={t("common.copyFailed")}
      />
    </div>
  );
}
