import "server-only";
import type { EndpointCheck, ReplacedValues } from "@/lib/endpoint-check/model/check";
import { historyDetail } from "@/lib/history/model/entry";
import type { WebhookChange } from "@/lib/history/model/webhook-change";
import { openedPersons } from "@/lib/history/server/read/present-row";
import { findEntries } from "@/lib/history/server/read/find";
import { intactPositions } from "@/lib/history/server/record/seals";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import type { HistoryRow } from "@/lib/platform/database/tables";
import type { Secret } from "@/lib/platform/runtime/secret";
import { fingerprint } from "@/lib/platform/secrets/partner-mac";
import { webhookTypes, type WebhookType } from "@/lib/webhooks/model/types";
import { isSameAddress } from "@/lib/webhooks/model/webhook-version";
import { requireConnectionRef } from "@/lib/webhooks/server/read/read";
import type { ConnectionRef } from "@/lib/webhooks/server/read/remote-state";
import * as z from "zod/mini";

type EnvironmentRef = Pick<ConnectionRef, "partnerId" | "environment">;

/** Entries read, the newest first. A value from before these is unknown. */
const maxChanges = 50;

/**
 * Classifies a typed value as a replaced one. The caller has sent it to the registered address and recorded that in the
 * history, so that guessing leaves a trace.
 */
export async function kindOfReplaced(
  environmentRef: EnvironmentRef,
  type: WebhookType,
  value: Secret,
  current: string | null,
): Promise<NonNullable<EndpointCheck["replaced"]>> {
  const own = await fingerprint(db(), environmentRef.partnerId, value);
  if (own === current) return "current";
  const changes = await changesOf(environmentRef, type, maxChanges);
  const isOwn = ({ change }: (typeof changes)[number]) => change.before?.fingerprint === own;
  const last = changes.find(replacesValue);
  if (last && isOwn(last)) return "known";
  return changes.some(isOwn) ? "earlier" : "unknown";
}

/** For each type, the last time its value was replaced. */
export async function replacedValues(
  access: PartnerAccess<"webhooks.read">,
  environment: string,
): Promise<ReplacedValues> {
  const connectionRef = await requireConnectionRef(access, environment);
  const found = await Promise.all(webhookTypes.map((type) => lastReplaced(connectionRef, type)));
  return { replaced: found.flatMap((one) => one ?? []) };
}

async function lastReplaced(environmentRef: EnvironmentRef, type: WebhookType) {
  const changes = await changesOf(environmentRef, type, maxChanges);
  const last = changes.find(replacesValue);
  if (!last) return null;
  const { rows } = await findEntries(
    environmentRef.partnerId,
    {
      environment: environmentRef.environment,
      type,
      kinds: ["endpoint_checked"],
      outcomes: ["replaced_refused"],
      from: last.row.at,
    },
    null,
    maxChecks,
  );
  // For its present address: what another receiver refused says nothing of this one.
  const address = changes[0]?.change.after?.callbackUrl ?? "";
  const proof = (await intact(environmentRef, rows)).find((row) => {
    const found = detailOf(historyDetail.endpoint_checked, row);
    if (found?.replaced !== "known" || row.seq <= last.row.seq) return false;
    return isSameAddress(found.url, address);
  });
  const open = await openedPersons(
    environmentRef.partnerId,
    proof ? [last.row, proof] : [last.row],
  );
  return {
    type,
    ...byOf(last.row, open),
    refused: proof ? byOf(proof, open) : null,
  };
}

const maxChecks = 20;

function replacesValue({ change: { before, after } }: { change: WebhookChange }): boolean {
  const was = before?.fingerprint ?? null;
  return was !== null && was !== after?.fingerprint;
}

function byOf({ at, actor_name }: HistoryRow, open: (text: string) => string) {
  return { at: new Date(at).toISOString(), by: actor_name === null ? null : open(actor_name) };
}

/** Changes of one type by saves and others, the newest first, from entries that are as recorded. */
async function changesOf(
  environmentRef: EnvironmentRef,
  type: WebhookType,
  limit: number,
): Promise<{ row: HistoryRow; change: WebhookChange }[]> {
  const { rows } = await findEntries(
    environmentRef.partnerId,
    { environment: environmentRef.environment, type, kinds: ["save", "changed_outside"] },
    null,
    limit,
  );
  return (await intact(environmentRef, rows)).flatMap((row) => {
    const schema = row.kind === "save" ? historyDetail.save : historyDetail.changed_outside;
    const changes = detailOf(schema, row)?.changes ?? [];
    return changes
      .filter((change) => change.type === type && tookEffect.has(change.outcome))
      .map((change) => ({ row, change }));
  });
}

const tookEffect: ReadonlySet<string> = new Set(["created", "overwritten", "seen"]);

async function intact(
  { partnerId }: EnvironmentRef,
  rows: readonly HistoryRow[],
): Promise<HistoryRow[]> {
  const intact = await intactPositions(partnerId, rows);
  return rows.filter(({ seq }) => intact.has(seq));
}

function detailOf<Schema extends z.ZodMiniType>(schema: Schema, row: HistoryRow) {
  return z.safeParse(schema, JSON.parse(row.detail_json)).data;
}
