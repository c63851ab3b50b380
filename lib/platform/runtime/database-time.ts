import { processWide } from "./process-wide";

const clock = () => processWide("database-time", () => ({ offset: null as number | null }));

/**
 * The database's time of day, in milliseconds: for every time that people see or that is compared with a stored one,
 * since all instances share it, and a wrong clock of this machine does not change it. This machine's own until the two
 * were compared, and with the embedded database.
 */
export function databaseTime(): number {
  const { offset } = clock();
  return offset === null ? Date.now() : Math.round(performance.now() + offset);
}

/** `offset`: to be added to `performance.now()`. */
export function setDatabaseTime(offset: number): void {
  clock().offset = offset;
}
