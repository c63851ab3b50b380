import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { ForbiddenState } from "@/components/layout/states/state";
import { TeamScreen, TeamSkeleton } from "@/components/team/team-screen";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { teamKeys } from "@/lib/team/client/query";
import { readTeam } from "@/lib/team/server/read";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("team");
  return { title: t("title") };
}

type Props = { params: Promise<{ partner: string }> };

export default async function TeamPage({ params }: Props) {
  const { partner } = await params;
  const path = `/partners/${partner}/team`;
  const access = await onPage(path, unlessForbidden(path, requirePartner(partner, "team.read")));
  if (!access) return <ForbiddenState />;
  return (
    <ClientMessages namespaces={["team"]}>
      <Streamed fallback={<TeamSkeleton />} load={() => loadedTeam({ path, access })} />
    </ClientMessages>
  );
}

type LoadedProps = { path: string; access: PartnerAccess<"team.read"> };

async function loadedTeam({ path, access }: LoadedProps) {
  const { partner } = access;
  const queryClient = new QueryClient();
  queryClient.setQueryData(teamKeys.team(partner.id), await onPage(path, readTeam(access)));
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <TeamScreen partner={partner} />
    </HydrationBoundary>
  );
}
