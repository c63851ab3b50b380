/**
 * When a day begins in a time zone, in milliseconds since 1970. `day` is `YYYY-MM-DD`. Where the clocks jump over
 * midnight, the time of the jump.
 */
export function startOfDay(day: string, timeZone: string): number {
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Twice: the first guess may be on the other side of a change of the clocks.
  const guess = midnight - offsetAt(midnight, timeZone);
  const begin = midnight - offsetAt(guess, timeZone);
  return begin + offsetAt(begin, timeZone) < midnight ? guess : begin;
}

/** Milliseconds by which the zone's clocks are ahead of UTC at a time. */
function offsetAt(moment: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(moment);
  const of = (type: string) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(
    of("year"),
    of("month") - 1,
    of("day"),
    of("hour"),
    of("minute"),
    of("second"),
  );
  return local - Math.floor(moment / 1_000) * 1_000;
}
