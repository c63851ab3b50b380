import {
  askedHistory,
  historyPage,
  type HistorySearch,
} from "@/app/(console)/_history/history-page";
import { historyActors } from "@/lib/history/server/read/actors";
import { readHistory } from "@/lib/history/server/read/read";
import { may } from "@/lib/platform/access/model/roles";
import { onPage } from "@/lib/platform/access/on-page";
import {
  requireEnvironment,
  requirePartner,
  type PartnerAccess,
} from "@/lib/platform/access/require";
import { environmentName } from "@/lib/platform/i18n/environment-name";
import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("timeline");
  return { title: t("title") };
}

type Props = {
  params: Promise<{ partner: string; environment: string }>;
  searchParams: HistorySearch;
};

export default async function HistoryPage({ params, searchParams }: Props) {
  const { partner: partnerId, environment } = await params;
  const section = (name: string) => `/partners/${partnerId}/${environment}/${name}`;
  const basePath = section("history");
  const asked = await askedHistory("partner", basePath, searchParams);
  const access = await onPage(asked.here, accessTo(partnerId, environment));
  const { partner, role } = access;
  const t = await getTranslations("timeline");
  const names = { partner: partner.name, environment: await environmentName(environment) };
  return historyPage({
    scope: "partner",
    header: { title: t("title"), intro: t("intro", names) },
    basePath,
    asked,
    about: { environment },
    actors: await historyActors(access),
    read: (query) => readHistory(access, query),
    route: `/api/partners/${partner.id}/history`,
    restoresAt: may(role, "webhooks.write") ? section("webhooks") : undefined,
  });
}

async function accessTo(
  partner: string,
  environment: string,
): Promise<PartnerAccess<"history.read">> {
  const access = await requirePartner(partner, "history.read");
  requireEnvironment(environment);
  return access;
}
