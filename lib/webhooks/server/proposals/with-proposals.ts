import "server-only";
import {
  approversOf,
  areTwoPeople,
  authorAmong,
  takesTwo,
  type Approver,
} from "@/lib/platform/access/approvers";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db } from "@/lib/platform/database/open";
import type { ProposalRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { shownFingerprints, type ShowFingerprint } from "@/lib/platform/secrets/partner-mac";
import type { Configuration, Proposal } from "@/lib/webhooks/model/configuration";
import { webhookOf } from "@/lib/webhooks/model/registered";
import { canonicalUrl, find } from "@/lib/webhooks/model/webhook-version";
import { typesOf, type WebhookType } from "@/lib/webhooks/model/types";
import { basisOf, endRow, pendingRows } from "./stored";

/** The configuration with its waiting proposals, and whether changing it takes approval. */
export async function withProposals(configuration: Configuration): Promise<Configuration> {
  const { partner, environment } = configuration;
  const rows = await pendingRows(db(), partner, environment);
  for (const row of rows.filter(({ overdue }) => overdue)) await expire(row);
  const waiting = rows.filter(({ overdue }) => !overdue);
  const people = waiting.length > 0 ? await approversOf(db(), partner) : [];
  const show = await shownFingerprints(db(), partner);
  const authors = waiting.map((row) => ({ id: row.author_id, name: row.author_name }));
  const nameOf = await distinctNames(db(), partner, authors);
  return {
    ...configuration,
    fourEyes: env().productionEnvironments.has(environment) && (await takesTwo(db(), partner)),
    proposals: waiting.map((row) => present(row, configuration, people, show, nameOf)),
  };
}

/** The first read after its time ends it, so that its value is kept no longer. */
async function expire(row: ProposalRow): Promise<void> {
  await db()
    .transaction()
    .execute((trx) => endRow(trx, row, { state: "expired", actor: null, requestId: null }));
}

/** Field by field: nothing secret is passed along. */
function present(
  row: ProposalRow,
  configuration: Configuration,
  people: readonly Approver[],
  show: ShowFingerprint,
  nameOf: (person: { id: string; name: string }) => string,
): Proposal {
  const basis = typesOf(row.applies_to).map((type) => {
    const state = find(basisOf(row), type);
    return {
      type,
      before: state && {
        callbackUrl: state.callbackUrl,
        fingerprint: state.fingerprint && show(row.environment, state.fingerprint),
      },
    };
  });
  return {
    id: row.id,
    type: row.applies_to,
    url: row.url,
    authorization: row.authorization_action,
    reason: row.reason,
    by: {
      id: row.author_id,
      name: nameOf({ id: row.author_id, name: row.author_name }),
    },
    at: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
    basis,
    outdated: basis.some(({ type, before }) => !isAs(configuration, type, before)),
    approvers: secondPeople(people, row),
  };
}

/** By the same rule that an approval is held to; null where the author is none of these people any more. */
function secondPeople(
  people: readonly Approver[],
  row: Pick<ProposalRow, "author_id" | "created_at">,
): Proposal["approvers"] {
  const author = authorAmong(people, row);
  if (!author) return null;
  return people
    .filter((person) => areTwoPeople(author, person))
    .map(({ id, name }) => ({ id, name }));
}

function isAs(
  configuration: Configuration,
  type: WebhookType,
  before: Proposal["basis"][number]["before"],
): boolean {
  const now = webhookOf(configuration, type);
  if (!now || !before) return !now && !before;
  return (
    canonicalUrl(now.callbackUrl) === canonicalUrl(before.callbackUrl) &&
    now.authorization.fingerprint === before.fingerprint
  );
}
