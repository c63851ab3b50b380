/** Undelivered alerts. Timestamps are ISO 8601, UTC. */
export type AlertQueue = {
  waiting: number;
  /** When the oldest of them happened; null where none waits. */
  waitingSince: string | null;
  /** Deliveries that were given up, of the last 90 days. */
  givenUp: number;
  /** When the last of them was given up; null where none was. */
  givenUpAt: string | null;
};
