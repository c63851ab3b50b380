"use client";

import type { EndpointChecks } from "@/components/endpoint-check/use-endpoint-checks";
import { Proposals } from "@/components/webhooks/proposals/proposals";
import { useHere } from "@/components/layout/here";
import { PageHeader } from "@/components/layout/page-header";
import { ButtonLink } from "@/components/ui/button-link";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { ProblemText } from "@/components/forms/failure-notice";
import { SavedNotice, type Done } from "@/components/webhooks/editor/saved-notice";
import { OldNotice } from "@/components/webhooks/list/screen-notices";
import type { ClientProblem } from "@/lib/platform/http/client/fetch-json";
import { useConfiguration } from "@/lib/webhooks/client/use-configuration";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { pendingProposalIds } from "@/lib/webhooks/model/proposals/needs-approval";
import { Hourglass, Stamp } from "lucide-react";
import { useTranslations } from "next-intl";
import { useId, useState } from "react";
import { EndedProposals } from "./ended-proposals";

type ApprovalsScreenProps = {
  given: Configuration;
  /** The viewer. */
  viewer: { id: string; mayDecide: boolean };
  endpointChecks: EndpointChecks;
  /** New API credentials that wait, for people who may see them. */
  credentials: { by: string; href: string } | null;
};

/** Proposals that wait for a second person here, and how the viewer's own ended. */
export function ApprovalsScreen(props: ApprovalsScreenProps) {
  const { given, viewer, credentials } = props;
  const t = useTranslations("approvals.page");
  const noticeId = useId();
  const { configuration, failure, old } = useConfiguration(given);
  const [done, setDone] = useState<Done | null>(null);
  const proposals = configuration.proposals ?? [];
  return (
    <div className="flex flex-col gap-6">
      <Header />
      <SavedNotice result={done} onDismiss={() => setDone(null)} />
      {old ? (
        <OldNotice
          id={noticeId}
          confirmedAt={configuration.confirmedAt}
          reason={failure ?? configuration.staleReason}
        />
      ) : null}
      <Proposals
        configuration={configuration}
        old={old}
        reader={viewer.mayDecide ? viewer.id : null}
        isMain
        endpointChecks={props.endpointChecks}
        onDone={setDone}
      />
      {credentials ? (
        <Notice
          tone="warn"
          icon={<Hourglass aria-hidden />}
          title={t("credentials")}
          actions={<ButtonLink href={credentials.href}>{t("open")}</ButtonLink>}
        >
          {t("credentialsText", { name: credentials.by })}
        </Notice>
      ) : null}
      {proposals.length === 0 && !credentials ? (
        <EmptyState
          icon={<Stamp aria-hidden />}
          title={t("none")}
          text={t(configuration.fourEyes ? "noneText" : "noneOff")}
        />
      ) : null}
      <EndedProposals waiting={pendingProposalIds(configuration, viewer.id)} />
    </div>
  );
}

function Header() {
  const t = useTranslations("approvals.page");
  const { partner, environmentName: environment } = useHere();
  return (
    <PageHeader title={t("title")} intro={t("intro", { partner: partner.name, environment })} />
  );
}

type UnavailableProps = { problem: Pick<ClientProblem, "code"> & Partial<ClientProblem> };

/** The page compares proposals with what is registered, and that is not known. */
export function ApprovalsUnavailable({ problem }: UnavailableProps) {
  const t = useTranslations("approvals.page");
  return (
    <div className="flex flex-col gap-6">
      <Header />
      <Notice tone="warn" title={t("notRead")}>
        <ProblemText problem={problem} />
      </Notice>
    </div>
  );
}
