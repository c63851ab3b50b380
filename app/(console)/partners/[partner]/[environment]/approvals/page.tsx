import {
  ApprovalsScreen,
  ApprovalsSkeleton,
  ApprovalsUnavailable,
} from "@/components/approvals/approvals-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { ForbiddenState } from "@/components/layout/states/state";
import { endedQuery } from "@/lib/approvals/client/ended-query";
import { readEnded } from "@/lib/approvals/server/read-ended";
import { readConnection } from "@/lib/connection/server/stored";
import { may } from "@/lib/platform/access/model/roles";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import {
  requireEnvironment,
  requirePartner,
  type PartnerAccess,
} from "@/lib/platform/access/require";
import { ProblemError, problemBody } from "@/lib/platform/http/model/problem";
import { currentRequestId } from "@/lib/platform/log/request-note";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { pendingProposalIds } from "@/lib/webhooks/model/proposals/needs-approval";
import { readConfiguration } from "@/lib/webhooks/server/read/read";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("approvals.page");
  return { title: t("title") };
}

type Props = { params: Promise<{ partner: string; environment: string }> };

export default async function ApprovalsPage({ params }: Props) {
  const { partner, environment } = await params;
  const path = `/partners/${partner}/${environment}/approvals`;
  const access = await onPage(path, unlessForbidden(path, accessTo(partner, environment)));
  if (!access) return <ForbiddenState />;
  return (
    <ClientMessages namespaces={["approvals", "webhooks"]}>
      <Streamed
        fallback={<ApprovalsSkeleton />}
        load={() => loadedApprovals({ access, environment })}
      />
    </ClientMessages>
  );
}

type Access = PartnerAccess<"proposals.follow">;

async function accessTo(partner: string, environment: string): Promise<Access> {
  const access = await requirePartner(partner, "proposals.follow");
  requireEnvironment(environment);
  return access;
}

type LoadedProps = { access: Access; environment: string };

/** Reads on the server; from there the browser's queries take over. */
async function loadedApprovals({ access, environment }: LoadedProps) {
  const { partner, role, viewer } = access;
  const requestId = currentRequestId();
  let configuration: Configuration;
  try {
    const reader = await requirePartner(partner.id, "webhooks.read");
    configuration = await readConfiguration(reader, environment, { requestId });
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const problem = problemBody(thrown.code, requestId, thrown.init);
    return (
      <ApprovalsUnavailable partner={partner.name} environment={environment} problem={problem} />
    );
  }
  const queryClient = new QueryClient();
  const { queryKey } = endedQuery(
    { partner: partner.id, environment },
    pendingProposalIds(configuration, viewer.id),
  );
  queryClient.setQueryData(queryKey, await readEnded(access, environment));
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ApprovalsScreen
        partner={partner}
        environment={environment}
        given={configuration}
        viewer={{ id: viewer.id, mayDecide: may(role, "webhooks.approve") }}
        credentials={
          may(role, "connection.read") ? await waitingCredentials(access, environment) : null
        }
      />
    </HydrationBoundary>
  );
}

async function waitingCredentials({ partner }: Access, environment: string) {
  const reader = await requirePartner(partner.id, "connection.read");
  const { proposal } = await readConnection(reader, environment);
  return proposal
    ? { by: proposal.by.name, href: `/partners/${partner.id}/${environment}/connection` }
    : null;
}
