import {
  attentionOfPage,
  readingService,
  sayServiceWasRead,
} from "@/app/(console)/_page/attention";
import { environmentPage, withQueries } from "@/app/(console)/_page/console-page";
import { readPage, type ReadPage } from "@/app/(console)/_page/read-page";
import { WebhooksUnavailable } from "@/components/webhooks/list/lazy-unavailable";
import { WebhooksScreen, WebhooksSkeleton } from "@/components/webhooks/list/webhooks-screen";
import { readAttention } from "@/lib/attention/server/attention";
import { captureKeys } from "@/lib/capture/client/query";
import { readCaptures } from "@/lib/capture/server/captures";
import { lastChecksQuery } from "@/lib/endpoint-check/client/query";
import { lastChecks } from "@/lib/endpoint-check/server/stored";
import { approversOf } from "@/lib/platform/access/approvers";
import { may } from "@/lib/platform/access/model/roles";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { problemBody, type ProblemError } from "@/lib/platform/http/model/problem";
import { currentRequestId } from "@/lib/platform/log/request-note";
import type { Configuration } from "@/lib/webhooks/model/configuration";
import { getTranslations } from "next-intl/server";

type Access = PartnerAccess<"webhooks.read">;

const { generateMetadata, Page } = environmentPage({
  section: "webhooks",
  title: "webhooks",
  permission: "webhooks.read",
  skeleton: null,
  load: ({ access, params }) => loadedWebhooks(access, params.environment),
});

export { generateMetadata };

export default function WebhooksPage(props: Parameters<typeof Page>[0]) {
  return readingService(() => Page(props));
}

function loadedWebhooks(access: Access, environment: string) {
  return readPage({
    access,
    environment,
    skeleton: <WebhooksSkeleton />,
    screen: (...read) => screen(access, environment, ...read),
    unavailable: (problem, reading) => unavailable(access, environment, problem, reading),
  });
}

async function unavailable(
  access: Access,
  environment: string,
  { code, init }: ProblemError,
  reading: Promise<unknown> | null,
) {
  const connection = `/partners/${access.partner.id}/${environment}/connection`;
  return (
    <WebhooksUnavailable
      problem={problemBody(code, currentRequestId(), init)}
      connectionHref={may(access.role, "connection.write") ? connection : undefined}
      admins={await adminsFor(access)}
      {...(reading && { reading })}
    />
  );
}

async function screen(
  access: Access,
  environment: string,
  ...[configuration, reading, look]: Parameters<ReadPage["screen"]>
) {
  sayServiceWasRead();
  const { partner, role } = access;
  const config = env();
  const { allowPrivateTargets, endpointChecks, environments, mode, receiverNote } = config;
  const t = await getTranslations("support");
  // Before the checks of the cards, which it reads with those of other environments.
  const attention = await attentionAt(access, configuration);
  const here = { partner: partner.id, environment };
  const { queryKey } = lastChecksQuery(here, configuration.revision);
  return withQueries(
    [
      ...(endpointChecks === "off"
        ? []
        : [[queryKey, await lastChecks(access, environment, look)] as const]),
      ...(config.productionEnvironments.has(environment)
        ? []
        : [[captureKeys.all(here), await readCaptures(access, environment)] as const]),
    ],
    <WebhooksScreen
      initial={configuration}
      reading={reading}
      attention={attention}
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
      receiverNote={receiverNote}
      otherEnvironments={[...environments.keys()].filter((name) => name !== environment)}
      admins={await adminsFor(access)}
    />,
  );
}

/** That of the navigation, if it is about this look or a later one. */
async function attentionAt(access: Access, { environment, epoch }: Configuration) {
  const read = (await attentionOfPage()).find(({ partner }) => partner === access.partner.id);
  const here = read?.environments.find((each) => each.environment === environment);
  return read && here && here.epoch >= Math.floor(epoch) ? read : readAttention(access);
}

/** Whom a read-only viewer can ask for changes. */
async function adminsFor({ partner, role }: Access): Promise<string[]> {
  if (may(role, "webhooks.write")) return [];
  const people = await approversOf(db(), partner.id);
  return people.filter(({ role }) => role === "admin").map(({ name }) => name);
}
