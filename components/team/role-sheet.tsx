"use client";

import { Button } from "@/components/ui/button";
import { Sheet } from "@/components/ui/sheet";
import type { Failure } from "@/lib/platform/http/client/fetch-json";
import type { TeamRole } from "@/lib/team/model/requests";
import type { Member } from "@/lib/team/model/team";
import { useTeamChange } from "@/lib/team/client/use-team-change";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { RoleChoice } from "./role-choice";
import { TeamFailureNotice } from "./team-failure-notice";

type RoleSheetProps = {
  partner: string;
  member: Member;
  onDone: (role: TeamRole) => void;
  onClose: () => void;
};

export function RoleSheet({ partner, member, onDone, onClose }: RoleSheetProps) {
  const t = useTranslations();
  const change = useTeamChange(partner);
  const [role, setRole] = useState(member.role);
  const [failure, setFailure] = useState<Failure | null>(null);

  async function submit() {
    setFailure(null);
    const answer = await change.mutateAsync({ kind: "role", member: member.id, role });
    if (answer.kind === "done") onDone(role);
    else setFailure(answer.failure);
  }

  const { name } = member;
  return (
    <Sheet
      open
      title={t("team.roleSheet.title", { name })}
      description={member.you ? t("team.roleSheet.yourself") : t("team.roleSheet.text", { name })}
      closeLabel={t("common.close")}
      onCloseRequest={() => !change.isPending && onClose()}
      footer={
        <>
          <Button disabled={change.isPending} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button
            variant="primary"
            pending={change.isPending}
            disabled={role === member.role}
            onClick={() => void submit()}
          >
            {t("team.roleSheet.submit")}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-5">
        {failure ? <TeamFailureNotice failure={failure} /> : null}
        <RoleChoice value={role} onChange={setRole} />
      </div>
    </Sheet>
  );
}
