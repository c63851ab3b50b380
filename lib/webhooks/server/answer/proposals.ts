import "server-only";
import { readWaiting, type Waiting } from "@/lib/changes/server/proposals";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { typesOf, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import { proposedSchema } from "@/lib/webhooks/model/asked";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { canonicalUrl, find } from "@/lib/webhooks/model/webhook-version";
import { askedIn, versionsIn } from "@/lib/webhooks/server/observe/save-record";
import { loadSecondPeople, type SecondPeople } from "@/lib/webhooks/server/observe/observed";
import { isOfClient } from "@/lib/webhooks/server/save/proposals";

/**
 * The configuration with its waiting proposals, and whether changing it takes approval. `known`: read with what is shown,
 * with no call to the service since.
 */
export async function withProposals(
  configuration: Configuration,
  connection: PartnerConnection,
  known?: SecondPeople,
): Promise<Configuration> {
  const { partner, environment } = configuration;
  const ref = { partnerId: partner, environment };
  const { isRequired, isAwaited } = known ?? (await loadSecondPeople(db(), ref));
  const waiting = isAwaited ? await readWaiting(ref, "webhooks") : [];
  const show = await shownFingerprints(db(), partner);
  return {
    ...configuration,
    fourEyes: isRequired && env().productionEnvironments.has(environment),
    proposals: waiting.map((each) => {
      const proposal = present(each, configuration, show);
      return { ...proposal, outdated: proposal.outdated || !isOfClient(each.row, connection) };
    }),
  };
}

/** Chosen field by field: no secret is passed on. */
function present(
  { row, shown }: Waiting,
  configuration: Configuration,
  show: ShowFingerprint,
): Proposal {
  const asked = proposedSchema.parse(askedIn(row));
  const basis = typesOf(asked.type).map((type) => {
    const state = find(versionsIn(row.before_json), type);
    return {
      type,
      before: state && {
        ...state,
        fingerprint: state.fingerprint && show(row.environment, state.fingerprint),
      },
    };
  });
  const outdated = basis.some(({ type, before }) => !isAs(configuration, type, before));
  return { ...shown, ...asked, basis, outdated };
}

function isAs(
  configuration: Configuration,
  type: WebhookType,
  before: Proposal["basis"][number]["before"],
): boolean {
  const now = webhookOf(configuration, type);
  if (!now || !before) return !now && !before;
  const { fingerprint, hidden, conflict = false } = now.authorization;
  return (
    canonicalUrl(now.callbackUrl) === canonicalUrl(before.callbackUrl) &&
    fingerprint === before.fingerprint &&
    hidden === before.hidden &&
    conflict === (before.conflict ?? false)
  );
}
