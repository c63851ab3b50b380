"use client";

import { Button } from "@/components/ui/button";
import { CopyField } from "@/components/forms/copy-field";
import { Sheet } from "@/components/ui/sheet";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { Member } from "@/lib/team/model/team";
import { useMemberLink } from "@/lib/team/client/use-team-change";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { TeamFailureNotice } from "./team-failure-notice";

type MemberLinkSheetProps = { partner: string; member: Member; onClose: () => void };

/** Says what a link that is handed over means, then makes it and shows it this once. */
export function MemberLinkSheet({ partner, member, onClose }: MemberLinkSheetProps) {
  const t = useTranslations();
  const { name } = member;
  const make = useMemberLink(partner);
  const [link, setLink] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function submit() {
    setFailure(null);
    const answer = await make.mutateAsync(member.id);
    if (answer.kind === "made") setLink(answer.link);
    else setFailure(answer.failure);
  }

  return (
    <Sheet
      open
      title={t("team.memberLink.title", { name })}
      description={link === null ? t("team.memberLink.text", { name }) : t("team.memberLink.done")}
      closeLabel={t("common.close")}
      onCloseRequest={() => !make.isPending && onClose()}
      footer={
        link === null ? (
          <>
            <Button disabled={make.isPending} onClick={onClose}>
              {t("common.cancel")}
            </Button>
            <Button variant="primary" pending={make.isPending} onClick={() => void submit()}>
              {t("team.memberLink.submit")}
            </Button>
          </>
        ) : (
          <Button onClick={onClose}>{t("team.link.done")}</Button>
        )
      }
    >
      {failure ? <TeamFailureNotice failure={failure} /> : null}
      {link === null ? null : (
        <CopyField
          label={t("team.memberLink.label")}
          text={link}
          copyLabel={t("team.link.copy")}
          copiedLabel={t("common.copied")}
          failedLabel={t("common.copyFailed")}
        />
      )}
    </Sheet>
  );
}
