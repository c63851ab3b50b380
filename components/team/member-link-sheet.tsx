"use client";

import { CopyField } from "@/components/forms/copy-field";
import { SheetForm } from "@/components/forms/sheet-form";
import { useMemberLink } from "@/lib/team/client/use-team-change";
import type { Member } from "@/lib/team/model/team";
import { useTranslations } from "next-intl";

type MemberLinkSheetProps = { partner: string; member: Member; onClose: () => void };

/** Says what a link that is handed over means, then makes it and shows it this once. */
export function MemberLinkSheet({ partner, member, onClose }: MemberLinkSheetProps) {
  const t = useTranslations();
  const { name } = member;
  const { pending, failure, answer, send } = useMemberLink(partner);
  const made = answer?.kind === "done" ? answer.result : null;
  return (
    <SheetForm
      title={t("team.memberLink.title", { name })}
      description={made ? t("team.memberLink.done") : t("team.memberLink.text", { name })}
      submit={t("team.memberLink.submit")}
      pending={pending}
      failure={failure}
      failed={{ title: t("team.failed.title"), unreachable: t("team.failed.noAnswer") }}
      onSubmit={(event) => {
        event.preventDefault();
        void send(member.id);
      }}
      onClose={onClose}
      result={
        made && {
          close: t("team.link.done"),
          children: (
            <CopyField
              label={t("team.memberLink.label")}
              text={made.link}
              copyLabel={t("team.link.copy")}
            />
          ),
        }
      }
    />
  );
}
