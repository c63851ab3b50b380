import { environmentPage, withQueries } from "@/app/(console)/_page/console-page";
import { ApprovalsScreen, ApprovalsUnavailable } from "@/components/approvals/approvals-screen";
import { endedQuery } from "@/lib/approvals/client/ended-query";
import { readEnded } from "@/lib/approvals/server/read-ended";
import { may } from "@/lib/platform/access/model/roles";
import { requirePartner, type PartnerAccess } from "@/lib/platform/access/require";
import { env } from "@/lib/platform/env/env";
import { ProblemError, problemBody } from "@/lib/platform/http/model/problem";
import { currentRequestId } from "@/lib/platform/log/request-note";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { pendingProposalIds } from "@/lib/webhooks/model/proposals/needs-approval";
import { readConfiguration } from "@/lib/webhooks/server/read/read";
import type { ReactNode } from "react";

type Access = PartnerAccess<"proposals.follow">;

const { generateMetadata, Page } = environmentPage({
  section: "approvals",
  title: "approvals.page",
  namespaces: ["approvals", "webhooks", "endpointCheck"],
  permission: "proposals.follow",
  load: ({ access, params }) => loadedApprovals(access, params.environment),
});

export { generateMetadata, Page as default };

/** The server reads first; then the browser's queries take over. */
async function loadedApprovals(access: Access, environment: string) {
  const { partner, role, viewer } = access;
  const requestId = currentRequestId();
  const show = async (waiting: readonly string[], screen: ReactNode) => {
    const { queryKey } = endedQuery({ partner: partner.id, environment }, waiting);
    return withQueries([[queryKey, await readEnded(access, environment)]], screen);
  };
  let configuration: Configuration;
  try {
    const reader = await requirePartner(partner.id, "webhooks.read");
    configuration = await readConfiguration(reader, environment, { requestId });
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const problem = problemBody(thrown.code, requestId, thrown.init);
    return show([], <ApprovalsUnavailable problem={problem} />);
  }
  const { endpointChecks, mode } = env();
  const mayDecide = may(role, "webhooks.approve");
  return show(
    pendingProposalIds(configuration, viewer.id),
    <ApprovalsScreen
      initial={configuration}
      viewer={{ id: viewer.id, mayDecide }}
      endpointChecks={
        endpointChecks === "off"
          ? null
          : { mayCheck: mayDecide, maySwitch: false, demo: mode === "demo" }
      }
    />,
  );
}
