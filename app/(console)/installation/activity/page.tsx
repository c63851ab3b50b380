import { historyPage } from "@/app/(console)/_history/history-page";
import { consolePage } from "@/app/(console)/_page/console-page";
import { activityActors, readActivity } from "@/lib/history/server/read/activity";
import { requireStaff } from "@/lib/platform/access/require";
import { getTranslations } from "next-intl/server";

const basePath = "/installation/activity";

const { generateMetadata, Page } = consolePage({
  title: "timeline.activity",
  path: () => basePath,
  access: () => requireStaff("installation.read"),
  async load({ access, ...request }) {
    const t = await getTranslations("timeline.activity");
    return historyPage({
      scope: "people",
      header: {
        title: t("title"),
        intro: t("intro"),
        back: { href: "/installation", label: t("back") },
      },
      basePath,
      request,
      actors: await activityActors(access),
      read: (query) => readActivity(access, query),
      route: "/api/installation/activity",
    });
  },
});
export { generateMetadata, Page as default };
