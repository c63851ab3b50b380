import { readConnection } from "@/lib/connection/server/stored";
import { ConnectionScreen, ConnectionSkeleton } from "@/components/connection/connection-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { ForbiddenState } from "@/components/layout/states/state";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import {
  requireEnvironment,
  requirePartner,
  type PartnerAccess,
} from "@/lib/platform/access/require";
import { may } from "@/lib/platform/access/model/roles";
import { connectionKeys } from "@/lib/connection/client/query";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("connection");
  return { title: t("title") };
}

type Props = { params: Promise<{ partner: string; environment: string }> };

export default async function ConnectionPage({ params }: Props) {
  const { partner, environment } = await params;
  const path = `/partners/${partner}/${environment}/connection`;
  const access = await onPage(path, unlessForbidden(path, accessTo(partner, environment)));
  if (!access) return <ForbiddenState />;
  return (
    <ClientMessages namespaces={["connection", "approvals"]}>
      <Streamed
        fallback={<ConnectionSkeleton />}
        load={() => loadedConnection({ path, access, environment })}
      />
    </ClientMessages>
  );
}

type Access = PartnerAccess<"connection.read">;

async function accessTo(partner: string, environment: string): Promise<Access> {
  const access = await requirePartner(partner, "connection.read");
  requireEnvironment(environment);
  return access;
}

type LoadedProps = { path: string; access: Access; environment: string };

async function loadedConnection({ path, access, environment }: LoadedProps) {
  const { partner, role, viewer } = access;
  const queryClient = new QueryClient();
  const connection = await onPage(path, readConnection(access, environment));
  queryClient.setQueryData(connectionKeys.connection(partner.id, environment), connection);
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <ConnectionScreen
        partner={partner}
        environment={environment}
        mayWrite={may(role, "connection.write")}
        viewerId={viewer.id}
      />
    </HydrationBoundary>
  );
}
