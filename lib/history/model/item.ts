import type { WebhookType } from "@/lib/platform/payment-service/contract/terms";

/**
 * Replaces the fingerprint of a typed value that the service does not hold: in a save that failed or has not ended, in
 * a proposal. A fingerprint would let people test guesses without a trace at the service.
 */
export const typedValue = "new";

/** One entry as the API, the page and the CSV export show it. Contains no secret. */
export type HistoryItem = {
  /** Its position in the chain: 1, 2, 3 … */
  seq: number;
  id: string;
  /** ISO 8601, UTC. */
  at: string;
  /** null for entries about the partner as a whole. */
  environment: string | null;
  kind: string;
  types: WebhookType[];
  /** null for a client of the service that is not Gancho, for Gancho itself, and for an unknown person. */
  actor: { id: string; name: string } | null;
  /** The IP address that the person came from, where it is known. */
  clientAddress: string | null;
  requestId: string | null;
  outcome: string | null;
  /** The detail as its kind's schema parses it, with short fingerprints; null where it does not have that shape. */
  detail: unknown;
};

/** An item whose seal was checked for this answer. */
export type CheckedItem = HistoryItem & {
  /** A holder of Gancho's keys wrote exactly this entry in this position. */
  intact: boolean;
};
