import "server-only";
import { webhookChangeSchema } from "@/lib/history/model/webhook-change";
import { readEntry } from "@/lib/history/server/verify/read-chain";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { ProblemError, fieldRefused } from "@/lib/platform/http/model/problem";
import type { CallOptions } from "@/lib/platform/payment-service/types";
import { addressesBefore } from "@/lib/webhooks/model/draft";
import { parseFetchedSource } from "@/lib/webhooks/model/sheet-address";
import { sourceSchema, type Source } from "@/lib/webhooks/model/source";
import * as z from "zod/mini";
import { requireKnownConnection } from "@/lib/webhooks/server/observe/reading";
import { readAt } from "./read";

/**
 * The source of a sheet in this environment, for a person who may save it. Throws `invalid_fields` for an invalid
 * source; `not_found` for an entry that is not of this environment or shows no earlier address, and for an unknown
 * environment; `entry_altered`; `not_connected`, or the service's fault for the other environment.
 */
export async function readSource(
  access: PartnerAccess<"webhooks.write">,
  environment: string,
  from: string | null,
  options: CallOptions,
): Promise<Source> {
  const [kind, name] = parseFetchedSource(from)?.split(".") ?? [];
  if (name === undefined || name === environment) throw fieldRefused("from", "not_offered");
  requireEnvironment(environment);
  return kind === "entry"
    ? ofEntry(access, environment, Number(name))
    : ofEnvironment(access, name, options);
}

const showsChanges = z.object({
  kind: z.string(),
  detail: z.object({ changes: z.array(webhookChangeSchema) }),
});

async function ofEntry(
  { partner }: PartnerAccess<"webhooks.write">,
  environment: string,
  position: number,
): Promise<Source> {
  const entry = await readEntry(partner.id, position);
  const { data } = showsChanges.safeParse(entry);
  if (!entry || !data || entry.environment !== environment) throw new ProblemError("not_found");
  // Otherwise somebody who can write to the database could get their address restored.
  if (!entry.intact) throw new ProblemError("entry_altered", { applied: "no" });
  const versions = addressesBefore(data.kind, data.detail.changes);
  if (versions.length === 0) throw new ProblemError("not_found");
  return sourceSchema.parse({ at: entry.at, stale: false, versions });
}

/** Its addresses. No fingerprints: they mean nothing in another environment. */
async function ofEnvironment(
  access: PartnerAccess<"webhooks.write">,
  environment: string,
  options: CallOptions,
): Promise<Source> {
  const { confirmedAt, stale, webhooks } = await readAt(
    await requireKnownConnection(access, environment),
    options,
  );
  return sourceSchema.parse({
    at: confirmedAt,
    stale,
    versions: webhooks.map(({ type, callbackUrl }) => ({
      type,
      callbackUrl,
      authorization: null,
    })),
  });
}
