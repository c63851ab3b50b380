import {
  askedHistory,
  historyPage,
  type HistorySearch,
} from "@/app/(console)/_history/history-page";
import { ForbiddenState } from "@/components/layout/states/state";
import { activityActors, readActivity } from "@/lib/history/server/read/activity";
import { onPage, unlessForbidden } from "@/lib/platform/access/on-page";
import { requireStaff } from "@/lib/platform/access/require";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("timeline.activity");
  return { title: t("title") };
}

const basePath = "/installation/activity";

export default async function ActivityPage({ searchParams }: { searchParams: HistorySearch }) {
  const asked = await askedHistory("people", basePath, searchParams);
  const { here } = asked;
  const access = await onPage(here, unlessForbidden(here, requireStaff("installation.read")));
  if (!access) return <ForbiddenState />;
  const t = await getTranslations("timeline.activity");
  const back = { href: "/installation", label: t("back") };
  return historyPage({
    scope: "people",
    header: { title: t("title"), intro: t("intro"), back },
    basePath,
    asked,
    actors: await activityActors(access),
    read: (query) => readActivity(access, query),
    route: "/api/installation/activity",
  });
}
