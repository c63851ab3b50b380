/** Deliveries that have not arrived. Moments are ISO 8601, UTC. */
export type AlertQueue = {
  waiting: number;
  /** When what the oldest of them tells of happened; null where none waits. */
  waitingSince: string | null;
  /** Those that nobody tries any more, of the last 90 days. */
  givenUp: number;
  /** When the last of them was given up; null where none was. */
  givenUpAt: string | null;
};
