"use client";

import { FailureNotice } from "@/components/forms/failure-notice";
import { Button } from "@/components/ui/button";
import { Card, CardBody } from "@/components/ui/card";
import { Skeleton } from "@/components/ui/skeleton";
import { teamQuery } from "@/lib/team/client/query";
import type { Team } from "@/lib/team/model/team";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState, type ReactNode } from "react";
import { FourEyesSection } from "./four-eyes-section";
import { InvitationsTable } from "./invitations-table";
import { MembersTable } from "./members-table";
import { OpenDialog, type Dialog } from "./open-dialog";
import { ResultNotice, type Result } from "./result-notice";

type TeamScreenProps = { partner: { id: string; name: string } };

/** Who is part of a partner, who is invited, and what each of them may do. */
export function TeamScreen({ partner }: TeamScreenProps) {
  const t = useTranslations();
  const { data, error, refetch, isFetching } = useQuery(teamQuery(partner.id));
  if (data) return <LoadedTeam partner={partner} team={data} />;
  if (!error) return <TeamSkeleton />;
  return (
    <div className="flex flex-col gap-6">
      <TeamHeader partnerName={partner.name} />
      <FailureNotice
        failure={error.failure}
        unreachable={t("team.unreachable")}
        actions={
          <Button pending={isFetching} onClick={() => void refetch()}>
            {t("common.tryAgain")}
          </Button>
        }
      />
    </div>
  );
}

function LoadedTeam({ partner, team }: TeamScreenProps & { team: Team }) {
  const t = useTranslations("team");
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [result, setResult] = useState<Result | null>(null);

  function open(next: Dialog) {
    setResult(null);
    setDialog(next);
  }

  return (
    <div className="flex flex-col gap-6">
      <TeamHeader
        partnerName={partner.name}
        action={
          <Button
            variant="primary"
            icon={<Plus aria-hidden />}
            onClick={() => open({ kind: "invite", renewing: null })}
          >
            {t("invite")}
          </Button>
        }
      />
      <ResultNotice result={result} onDismiss={() => setResult(null)} />
      <section aria-labelledby="members" className="flex flex-col gap-3">
        <h2 id="members" className="text-[0.9375rem] font-semibold">
          {t("members.title")}
        </h2>
        <MembersTable
          members={team.members}
          onChangeRole={(member) => open({ kind: "role", member })}
          onRemove={(member) => open({ kind: "remove", member })}
          onLink={(member) => open({ kind: "link", member })}
        />
      </section>
      <section aria-labelledby="invitations" className="flex flex-col gap-3">
        <h2 id="invitations" className="text-[0.9375rem] font-semibold">
          {t("invitations.title")}
        </h2>
        <InvitationsTable
          invitations={team.invitations}
          onRenew={(renewing) => open({ kind: "invite", renewing })}
          onRevoke={(invitation) => open({ kind: "revoke", invitation })}
        />
      </section>
      <FourEyesSection partner={partner.id} fourEyes={team.fourEyes} onResult={setResult} />
      {dialog ? (
        <OpenDialog
          dialog={dialog}
          partner={partner}
          onClose={() => setDialog(null)}
          onResult={(next) => {
            setDialog(null);
            setResult(next);
          }}
        />
      ) : null}
    </div>
  );
}

function TeamHeader({ partnerName, action }: { partnerName: string; action?: ReactNode }) {
  const t = useTranslations("team");
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-4">
      <div className="min-w-0">
        <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
        <p className="mt-1 text-pretty text-ink-2">{t("intro", { partner: partnerName })}</p>
      </div>
      {action ? <div className="max-sm:flex max-sm:w-full max-sm:*:flex-1">{action}</div> : null}
    </div>
  );
}

/** The shape of what comes. */
export function TeamSkeleton() {
  const t = useTranslations("team");
  return (
    <div className="flex flex-col gap-6">
      <div>
        <h1 className="text-title font-semibold tracking-tight">{t("title")}</h1>
        <p className="mt-1 text-ink-2">{t("loading")}</p>
      </div>
      <Card>
        <CardBody className="flex flex-col gap-5">
          {[1, 2, 3].map((row) => (
            <div key={row} className="flex items-center gap-3">
              <Skeleton className="size-7 rounded-full" />
              <Skeleton className="h-4 w-48" />
            </div>
          ))}
        </CardBody>
      </Card>
    </div>
  );
}
