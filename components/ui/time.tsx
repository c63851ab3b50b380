"use client";

import { useFormatter } from "next-intl";
import { useEffect, useState } from "react";

/** How often "12 seconds ago" is brought up to date. */
const refreshEvery = 10_000;

/** ISO 8601 in. Date, time and zone in the reader's own; the year only where it is not this one. */
function useAbsolute(at: string): string {
  const format = useFormatter();
  const date = new Date(at);
  const thisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return format.dateTime(date, {
    day: "numeric",
    month: "short",
    ...(thisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZoneName: "short",
  });
}

/*
 * Server and browser format at slightly different moments, and with different editions of the locale data:
 * the server's text is kept at first, which is what `suppressHydrationWarning` is for.
 */

/** "17 Nov, 14:02 BRT", in the reader's language and zone. `at` is ISO 8601. */
export function AbsoluteTime({ at }: { at: string }) {
  return (
    <time dateTime={at} suppressHydrationWarning className="whitespace-nowrap">
      {useAbsolute(at)}
    </time>
  );
}

/** "3 days ago", kept up to date, with the exact time for the mouse. `at` is ISO 8601, in the past. */
export function RelativeTime({ at }: { at: string }) {
  const format = useFormatter();
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), refreshEvery);
    return () => clearInterval(timer);
  }, []);

  // A reader's clock that runs behind must not put the past into the future.
  const then = new Date(at).getTime();
  const reference = Math.max(now, then + 1_000);
  return (
    <time
      dateTime={at}
      title={useAbsolute(at)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {format.relativeTime(then, reference)}
    </time>
  );
}
