import { OverviewScreen, OverviewSkeleton } from "@/components/watch/overview-screen";
import { ClientMessages } from "@/components/layout/client-messages";
import { Streamed } from "@/components/layout/streamed";
import { ForbiddenState } from "@/components/layout/states/state";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import { requireStaff, type StaffAccess } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { readOverview } from "@/lib/watch/server/overview";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const [t, names, search] = await Promise.all([
    getTranslations("watch"),
    getTranslations("common.environments"),
    searchParams,
  ]);
  const environment = environmentOf(search);
  const isNamed = environment === "production" || environment === "sandbox";
  return { title: `${t("title")} · ${isNamed ? names(environment) : environment}` };
}

export default async function OverviewPage({ searchParams }: Props) {
  const asked = unlessForbidden("/overview", requireStaff("overview.read"));
  const [access, search] = await Promise.all([onPage("/overview", asked), searchParams]);
  if (!access) return <ForbiddenState />;
  return (
    <ClientMessages namespaces={["webhooks", "partners", "watch"]}>
      <Streamed
        fallback={<OverviewSkeleton />}
        load={() => loadedOverview({ access, environment: environmentOf(search) })}
      />
    </ClientMessages>
  );
}

type Loaded = { access: StaffAccess<"overview.read">; environment: string };

async function loadedOverview({ access, environment }: Loaded) {
  const overview = await readOverview(access, environment);
  return (
    <OverviewScreen overview={overview} opensPartner={access.viewer.staffRole === "support"} />
  );
}

/** A cut or mistyped address shows the main environment rather than an error. */
function environmentOf({ environment }: Awaited<Props["searchParams"]>): string {
  return typeof environment === "string" && env().environments.has(environment)
    ? environment
    : mainEnvironment();
}
