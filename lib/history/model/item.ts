import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

/**
 * In place of the fingerprint of a value that somebody typed and that the service does not hold: of a save that ended
 * otherwise or did not end yet, of a proposal. A fingerprint would tell whoever guesses whether they guessed right,
 * without a trace at the service.
 */
export const typedValue = "new";

/** One entry as it is handed out: as JSON, to the page, and, row by row, as CSV. Nothing secret is in it. */
export type HistoryItem = {
  /** Its place in the chain: 1, 2, 3 … */
  seq: number;
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  /** null for what is about the partner as a whole. */
  environment: string | null;
  kind: string;
  types: WebhookType[];
  /** null for a client of the service that is not Gancho, for Gancho itself, and for nobody who is known here. */
  actor: { id: string; name: string } | null;
  /** The IP address that the person came from, where it is known. */
  clientAddress: string | null;
  requestId: string | null;
  outcome: string | null;
  /** What the kind's schema knows of it, fingerprints as people compare them; null where it does not have that shape. */
  detail: unknown;
};

/** An item whose seal was checked for this answer. */
export type CheckedItem = HistoryItem & {
  /** It is what was recorded in this place, by a holder of Gancho's keys. */
  intact: boolean;
};
