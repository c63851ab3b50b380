import { environmentPage, withQueries } from "@/app/(console)/_page/console-page";
import { WebhooksUnavailable } from "@/components/webhooks/list/lazy-unavailable";
import { WebhooksScreen, WebhooksSkeleton } from "@/components/webhooks/list/webhooks-screen";
import { lastChecksQuery } from "@/lib/endpoint-check/client/query";
import { lastChecks } from "@/lib/endpoint-check/server/stored";
import { approversOf } from "@/lib/platform/access/approvers";
import { may } from "@/lib/platform/access/model/roles";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError, problemBody } from "@/lib/platform/http/model/problem";
import { currentRequestId } from "@/lib/platform/log/request-note";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { readConfiguration } from "@/lib/webhooks/server/read/read";
import { getTranslations } from "next-intl/server";

type Access = PartnerAccess<"webhooks.read">;

const { generateMetadata, Page } = environmentPage({
  section: "webhooks",
  title: "webhooks",
  namespaces: ["webhooks", "approvals", "endpointCheck"],
  permission: "webhooks.read",
  skeleton: <WebhooksSkeleton />,
  load: ({ access, params }) => loadedWebhooks(access, params.environment),
});

export { generateMetadata, Page as default };

/** The server reads first, so that the first paint has the configuration; then the browser's query takes over. */
async function loadedWebhooks(access: Access, environment: string) {
  const { partner, role, viewer } = access;
  const { allowPrivateTargets, endpointChecks, environments, mode } = env();
  const t = await getTranslations("support");
  const requestId = currentRequestId();
  const connectionHref = may(role, "connection.write")
    ? `/partners/${partner.id}/${environment}/connection`
    : undefined;
  const admins = may(role, "webhooks.write") ? [] : await adminNames(partner.id);
  let configuration: Configuration;
  try {
    configuration = await readConfiguration(access, environment, { requestId });
  } catch (thrown) {
    if (!(thrown instanceof ProblemError)) throw thrown;
    const problem = problemBody(thrown.code, requestId, thrown.init);
    return (
      <WebhooksUnavailable problem={problem} connectionHref={connectionHref} admins={admins} />
    );
  }
  const ref = { partner: partner.id, environment };
  const { queryKey } = lastChecksQuery(ref, configuration.revision);
  return withQueries(
    endpointChecks === "off" ? [] : [[queryKey, await lastChecks(access, environment)]],
    <WebhooksScreen
      initial={configuration}
      viewerId={viewer.id}
      {...(role === "support"
        ? { role: "viewer", readOnlyReason: t("readOnly", { partner: partner.name }) }
        : { role })}
      allowPrivateTargets={allowPrivateTargets}
      endpointChecks={
        endpointChecks === "off"
          ? null
          : {
              mayCheck: may(role, "endpoints.check"),
              maySwitch: endpointChecks === "daily" && may(role, "endpoints.watch"),
              demo: mode === "demo",
            }
      }
      otherEnvironments={[...environments.keys()].filter((name) => name !== environment)}
      admins={admins}
    />,
  );
}

/** Whom a read-only viewer can ask for changes. */
async function adminNames(partner: string): Promise<string[]> {
  const people = await approversOf(db(), partner);
  return people.filter(({ role }) => role === "admin").map(({ name }) => name);
}
