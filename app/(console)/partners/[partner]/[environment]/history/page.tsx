import { historyPage } from "@/app/(console)/_history/history-page";
import { environmentPage } from "@/app/(console)/_page/console-page";
import { historyActors } from "@/lib/history/server/read/actors";
import { readHistory } from "@/lib/history/server/read/history";
import { may } from "@/lib/platform/access/model/roles";
import { environmentName } from "@/lib/platform/i18n/environment-name";
import { getTranslations } from "next-intl/server";

const { generateMetadata, Page } = environmentPage({
  section: "history",
  title: "timeline",
  permission: "history.read",
  async load({ access, params: { environment }, ...request }) {
    const { partner, role } = access;
    const t = await getTranslations("timeline");
    const names = { partner: partner.name, environment: await environmentName(environment) };
    const home = `/partners/${partner.id}/${environment}`;
    return historyPage({
      scope: "partner",
      header: { title: t("title"), intro: t("intro", names) },
      basePath: `${home}/history`,
      request,
      about: { environment },
      actors: await historyActors(access),
      read: (query) => readHistory(access, query),
      route: `/api/partners/${partner.id}/history`,
      restoresAt: may(role, "webhooks.write") ? `${home}/webhooks` : undefined,
    });
  },
});
export { generateMetadata, Page as default };
