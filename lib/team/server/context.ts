import "server-only";
import type { PartnerAccess } from "@/lib/platform/access/require";
import type { Actor } from "@/lib/history/server/record/record";

/** Where a request came from; goes into the history. */
export type Context = { requestId: string; clientAddress: string | null };

/** What every history entry about a team has in common: it is about no environment and no type. */
export function entryBase(
  { partner, viewer }: Pick<PartnerAccess, "partner" | "viewer">,
  { requestId, clientAddress }: Context,
) {
  const actor: Actor = { id: viewer.id, name: viewer.name, clientAddress };
  return { partnerId: partner.id, environment: null, types: [], actor, requestId, outcome: null };
}
