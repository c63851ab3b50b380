import { environmentPage, PageSkeleton, withQueries } from "@/app/(console)/_page/console-page";
import { readPage } from "@/app/(console)/_page/read-page";
import { ApprovalsScreen, ApprovalsUnavailable } from "@/components/approvals/approvals-screen";
import { endedQuery } from "@/lib/approvals/client/ended-query";
import { readEnded } from "@/lib/approvals/server/read-ended";
import { may } from "@/lib/platform/access/model/roles";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { problemBody } from "@/lib/platform/http/model/problem";
import { currentRequestId } from "@/lib/platform/log/request-note";
import { pendingProposalIds } from "@/lib/webhooks/model/proposals/needs-approval";
import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";

type Access = PartnerAccess<"proposals.follow">;

const { generateMetadata, Page } = environmentPage({
  section: "approvals",
  title: "approvals.page",
  permission: "proposals.follow",
  skeleton: null,
  load: ({ access, params }) => loadedApprovals(access, params.environment),
});

export { generateMetadata, Page as default };

async function loadedApprovals(access: Access, environment: string) {
  const { partner, role, viewer } = access;
  const { endpointChecks, mode } = env();
  const t = await getTranslations("approvals.page");
  const show = async (waiting: readonly string[], screen: ReactNode) => {
    const { queryKey } = endedQuery({ partner: partner.id, environment }, waiting);
    return withQueries([[queryKey, await readEnded(access, environment)]], screen);
  };
  const mayDecide = may(role, "webhooks.approve");
  return readPage({
    access: await requirePartner(partner.id, "webhooks.read"),
    environment,
    skeleton: <PageSkeleton title={t("title")} />,
    screen: (configuration, reading) =>
      show(
        pendingProposalIds(configuration, viewer.id),
        <ApprovalsScreen
          initial={configuration}
          reading={reading}
          viewer={{ id: viewer.id, mayDecide }}
          endpointChecks={
            endpointChecks === "off"
              ? null
              : { mayCheck: mayDecide, maySwitch: false, demo: mode === "demo" }
          }
        />,
      ),
    unavailable: ({ code, init }, reading) =>
      show(
        [],
        <ApprovalsUnavailable
          problem={problemBody(code, currentRequestId(), init)}
          reading={reading}
        />,
      ),
  });
}
