"use client";

import { CopyField } from "@/components/forms/copy-field";
import { Notice } from "@/components/ui/notice";
import type { Invited } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";

/** The link, this once: nobody can read it back afterwards. Where it is mailed, nobody here sees it at all. */
export function InvitationLink({ invited: { invitation, link, mail } }: { invited: Invited }) {
  const t = useTranslations();
  const { email } = invitation;
  if (mail === "failed")
    return (
      <Notice tone="bad" role="alert" title={t("team.link.notSent")}>
        {t("team.link.failed", { email })}
      </Notice>
    );
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="ok" role="status" title={t("team.link.title")}>
        {t(link === null ? "team.link.sent" : "team.link.once", { email })}
      </Notice>
      {link === null ? null : (
        <CopyField
          label={t("team.link.label")}
          text={link}
          copyLabel={t("team.link.copy")}
          copiedLabel={t("common.copied")}
          failedLabel={t("common.copyFailed")}
        />
      )}
    </div>
  );
}
