import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { WebhooksSkeleton, WebhooksScreen } from "@/components/webhooks/list/webhooks-screen";
import { onPage } from "@/lib/platform/access/on-page";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { WebhooksUnavailable } from "@/components/webhooks/list/lazy-unavailable";
import { may } from "@/lib/platform/access/model/roles";
import { endedQuery } from "@/lib/approvals/client/ended-query";
import { readEnded } from "@/lib/approvals/server/read-ended";
import { lastChecksQuery } from "@/lib/endpoint-check/client/query";
import { lastChecks } from "@/lib/endpoint-check/server/stored";
import { relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { stepUpWays } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { currentRequestId } from "@/lib/platform/log/request-note";
import { ProblemError, problemBody } from "@/lib/platform/http/model/problem";
import { pendingProposalIds } from "@/lib/webhooks/model/proposals/needs-approval";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { readConfiguration } from "@/lib/webhooks/server/read/read";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import { notFound } from "next/navigation";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("webhooks");
  return { title: t("title") };
}

type Props = { params: Promise<{ partner: string; environment: string }> };

export default async function WebhooksPage({ params }: Props) {
  const { partner, environment } = await params;
  const path = `/partners/${partner}/${environment}/webhooks`;
  const access = await onPage(path, requirePartner(partner, "webhooks.read"));
  return (
    <ClientMessages namespaces={["webhooks", "approvals", "endpointCheck"]}>
      <Streamed
        fallback={<WebhooksSkeleton partnerName={access.partner.name} />}
        load={() => loadedWebhooks({ access, environment })}
      />
    </ClientMessages>
  );
}

type LoadedWebhooksProps = { access: PartnerAccess<"webhooks.read">; environment: string };

/** Reads on the server, so that the first paint has the configuration; from there the browser's query takes over. */
async function loadedWebhooks({ access, environment }: LoadedWebhooksProps) {
  const { partner, role, viewer } = access;
  const { allowPrivateTargets, endpointChecks, environments, mode } = env();
  const t = await getTranslations("support");
  const requestId = currentRequestId();
  const connectionHref = may(role, "connection.write")
    ? `/partners/${partner.id}/${environment}/connection`
    : undefined;
  const queryClient = new QueryClient();
  let configuration: Configuration;
  try {
    configuration = await readConfiguration(access, environment, { requestId });
    if (endpointChecks !== "off") {
      const { queryKey } = lastChecksQuery({ partner: partner.id, environment });
      queryClient.setQueryData(queryKey, await lastChecks(access, environment));
    }
    if (role !== "support") {
      const environmentRef = { partner: partner.id, environment };
      const { queryKey } = endedQuery(environmentRef, pendingProposalIds(configuration, viewer.id));
      const follower = await requirePartner(partner.id, "proposals.follow");
      queryClient.setQueryData(queryKey, await readEnded(follower, environment));
    }
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    if (thrown.code === "not_found") notFound();
    const problem = problemBody(thrown.code, requestId, thrown.init);
    return (
      <WebhooksUnavailable
        partnerName={partner.name}
        environment={environment}
        problem={problem}
        connectionHref={connectionHref}
      />
    );
  }
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <WebhooksScreen
        partner={partner}
        environment={environment}
        given={configuration}
        viewerId={viewer.id}
        ways={may(role, "authorization.reveal") ? await waysOf(viewer.id) : noWay}
        {...(role === "support"
          ? { role: "viewer", readOnlyReason: t("readOnly", { partner: partner.name }) }
          : { role })}
        allowPrivateTargets={allowPrivateTargets}
        endpointChecks={
          endpointChecks === "off"
            ? null
            : {
                mayCheck: may(role, "endpoints.check"),
                maySwitch: endpointChecks === "daily" && may(role, "endpoints.watch"),
                demo: mode === "demo",
              }
        }
        otherEnvironments={[...environments.keys()].filter((name) => name !== environment)}
        connectionHref={connectionHref}
      />
    </HydrationBoundary>
  );
}

const noWay = { password: false, passkey: false };

/** How they could prove their identity again. */
async function waysOf(userId: string) {
  const { password, passkey } = await stepUpWays(db(), userId);
  return { password, passkey: passkey && relyingParty() !== null };
}
