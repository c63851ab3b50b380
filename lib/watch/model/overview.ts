import type { PartnerStatus } from "@/lib/partners/model/partner-state";
import type { AttentionLine } from "@/lib/attention/model/partners";

/** The state of an environment, by Gancho's readings. Timestamps are ISO 8601, UTC. */
export type Overview = {
  environment: string;
  environments: string[];
  /** Minutes from one background reading to the next; null: there are none, only people's. */
  everyMinutes: number | null;
  /** The minutes for each round that the budget allows, where it is too small for the period. */
  takesMinutes: number | null;
  /** Whether a process reads in the background now. */
  isRead: boolean;
  connections: number;
  /** Read within the period, with some grace, and not failing since. */
  confirmed: number;
  failing: number;
  /** Neither: not read within the period. */
  notRead: number;
  /** How many partners the list finds by each status. */
  counts: Record<
    Exclude<PartnerStatus, "suspended" | "endpoint_fails" | "no_second_person">,
    number
  >;
  /** Since when the service as a whole does not answer; null: it does, or nothing is read in the background. */
  serviceDownSince: string | null;
  /** The service asked to slow down, and Gancho pauses. */
  isPaused: boolean;
  /** Forty-eight hours, the oldest first, those without readings included. */
  hours: Hour[];
  /** The first partners that need attention, the worst first. */
  attention: AttentionLine[];
  /** How many partners were looked at for that, those first that stored facts say stand out, and how many were not. */
  lookedAt: number;
  notLookedAt: number;
};

export type Hour = {
  /** When it began. */
  at: string;
  readings: number;
  failed: number;
  /** The mean of the answered list calls, milliseconds; null where there were none. */
  answerMs: number | null;
};

const hourMs = 3_600_000;
/** How many hours are kept and shown. */
export const shownHours = 48;

/** Hours counted from 1970. */
export function hourOf(at: number): number {
  return Math.floor(at / hourMs);
}
