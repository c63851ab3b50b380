"use client";

import { Section } from "@/components/ui/section";
import { ResultNotice } from "@/components/forms/result-notice";
import type { RequestFailure } from "@/lib/platform/http/client/fetch-json";
import { lazyPart } from "@/components/layout/lazy-part";
import { PageHeader } from "@/components/layout/page-header";
import { Button } from "@/components/ui/button";
import { teamQuery } from "@/lib/team/client/query";
import type { Member, Team } from "@/lib/team/model/team";
import { useSuspenseQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { AlertAddressesSection } from "./alert-addresses-section";
import { FourEyesSection } from "./four-eyes-section";
import { InvitationsTable } from "./invitations-table";
import { MembersTable } from "./members-table";
import type { Dialog } from "./open-dialog";

// Loaded on use: forms and their rules are a fifth of the page's code, and most visits only read.
const { LazyPart: OpenDialog, preload: preloadDialog } = lazyPart(() =>
  import("./open-dialog").then((module) => module.OpenDialog),
);

/** The outcome of the last change. */
export type Result = { kind: "done"; text: string } | { kind: "failed"; failure: RequestFailure };

type TeamScreenProps = { partner: { id: string; name: string } };

/** Who belongs to a partner, who is invited, and what each of them may do. */
export function TeamScreen({ partner }: TeamScreenProps) {
  const t = useTranslations("team");
  const { data: team } = useSuspenseQuery(teamQuery(partner.id));
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const [result, setResult] = useState<Result | null>(null);

  function open(next: Dialog) {
    setResult(null);
    setDialog(next);
  }

  return (
    <div className="flex flex-col gap-6" onPointerEnter={preloadDialog} onFocus={preloadDialog}>
      <PageHeader
        title={t("title")}
        intro={t("intro", { partner: partner.name })}
        actions={
          team.joinsBy === null ? (
            <Button
              variant="primary"
              icon={<Plus aria-hidden />}
              onClick={() => open({ kind: "invite", renewing: null })}
            >
              {t("invite")}
            </Button>
          ) : null
        }
      />
      <ResultNotice
        onDismiss={() => setResult(null)}
        result={
          result?.kind === "failed"
            ? { failure: result.failure }
            : result && { tone: "ok", children: result.text }
        }
      />
      <Section
        bare
        title={t("members.title")}
        {...(team.joinsBy !== null && { text: t("members.joinsBy", { provider: team.joinsBy }) })}
      >
        <MembersTable
          members={team.members}
          onChangeRole={(member) => open({ kind: "role", member })}
          onRemove={(member) =>
            open({ kind: "remove", member, staying: addedBy(member, team.alertAddresses) })
          }
        />
      </Section>
      {team.joinsBy === null ? (
        <Section bare title={t("invitations.title")}>
          <InvitationsTable
            invitations={team.invitations}
            onRenew={(renewing) => open({ kind: "invite", renewing })}
            onRevoke={(invitation) => open({ kind: "revoke", invitation })}
          />
        </Section>
      ) : null}
      <AlertAddressesSection
        partner={partner.id}
        addresses={team.alertAddresses}
        mail={team.mail}
        onAdd={() => open({ kind: "alertAddress" })}
        onResult={setResult}
      />
      <FourEyesSection
        partner={partner.id}
        fourEyes={team.fourEyes}
        managed={team.members.some(({ managedBy }) => managedBy !== null)}
        onResult={setResult}
      />
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

/** Alert addresses that a member added and that stay when they leave: their own one ends with them. */
function addedBy({ id, email }: Member, addresses: Team["alertAddresses"]): string[] {
  return addresses
    .filter(({ addedBy, address }) => addedBy.id === id && address !== email)
    .map(({ address }) => address);
}
