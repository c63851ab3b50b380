import { consolePage, type Search } from "@/app/(console)/_page/console-page";
import { OverviewScreen } from "@/components/watch/overview-screen";
import { requireStaff } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { environmentName } from "@/lib/platform/i18n/environment-name";
import { readOverview } from "@/lib/watch/server/overview";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

type Props = { searchParams: Promise<Search> };

export async function generateMetadata({ searchParams }: Props): Promise<Metadata> {
  const t = await getTranslations("watch");
  return { title: `${t("title")} · ${await environmentName(environmentOf(await searchParams))}` };
}

const { Page } = consolePage({
  title: "watch",
  path: () => "/overview",
  access: () => requireStaff("overview.read"),
  load: async ({ access, search }) => (
    <OverviewScreen
      overview={await readOverview(access, environmentOf(search))}
      opensPartner={access.viewer.staffRole === "support"}
    />
  ),
});
export { Page as default };

/** A truncated or mistyped URL shows the main environment instead of an error. */
function environmentOf({ environment }: Search): string {
  return typeof environment === "string" && env().environments.has(environment)
    ? environment
    : mainEnvironment();
}
