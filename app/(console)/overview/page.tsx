import { ClientMessages } from "@/components/layout/client-messages";
import { ForbiddenState } from "@/components/layout/states/state";
import { OverviewScreen, OverviewSkeleton } from "@/components/watch/overview-screen";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import { requireStaff, type StaffAccess } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { watchKeys } from "@/lib/watch/client/queries";
import { readOverview } from "@/lib/watch/server/overview";
import { dehydrate, HydrationBoundary, QueryClient } from "@tanstack/react-query";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { Suspense } from "react";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("overview");
  return { title: t("title") };
}

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function OverviewPage({ searchParams }: Props) {
  const asked = unlessForbidden("/overview", requireStaff("overview.read"));
  const [access, { environment }] = await Promise.all([onPage("/overview", asked), searchParams]);
  if (!access) return <ForbiddenState />;
  return (
    <ClientMessages namespaces={["common", "shell", "problems", "overview"]}>
      <Suspense fallback={<OverviewSkeleton />}>
        <Loaded access={access} wanted={environment} />
      </Suspense>
    </ClientMessages>
  );
}

type LoadedProps = { access: StaffAccess<"overview.read">; wanted: string | string[] | undefined };

/** Reads on the server; from there the browser's query goes on. An unknown environment shows the main one. */
async function Loaded({ access, wanted }: LoadedProps) {
  const environments = [...env().environments.keys()];
  const known = environments.find((name) => name === wanted);
  const overview = await readOverview(access, known === undefined ? {} : { environment: known });
  const queryClient = new QueryClient();
  queryClient.setQueryData(watchKeys.overview(overview.environment), {
    pages: [overview],
    pageParams: [null],
  });
  return (
    <HydrationBoundary state={dehydrate(queryClient)}>
      <OverviewScreen
        environment={overview.environment}
        environments={environments}
        reader={access.viewer.staffRole === "operator" ? "operator" : "support"}
      />
    </HydrationBoundary>
  );
}
