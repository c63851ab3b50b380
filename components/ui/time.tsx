"use client";

import { hearServerTime, onServerTime, serverNow } from "@/lib/platform/http/client/server-clock";
import { useFormatter, useNow } from "next-intl";
import { useEffect, useSyncExternalStore } from "react";

/** How often "12 seconds ago" updates. */
const refreshEvery = 10_000;

/** ISO 8601 in. Date, time and zone in the reader's own; the year only where it is not this one. */
function useAbsolute(at: string, withSeconds = false): string {
  const format = useFormatter();
  const date = new Date(at);
  const thisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
  return format.dateTime(date, {
    day: "numeric",
    month: "short",
    ...(thisYear ? {} : { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    ...(withSeconds ? { second: "2-digit" } : {}),
    hourCycle: "h23",
    timeZoneName: "short",
  });
}

/*
 * Server and browser format at slightly different times, and with different editions of the locale data: the server's
 * text stays at first, which is what `suppressHydrationWarning` is for.
 */

/** "17 Nov, 14:02 BRT", in the reader's language and zone, with the seconds for the mouse. `at` is ISO 8601. */
export function AbsoluteTime({ at }: { at: string }) {
  return (
    <time
      dateTime={at}
      title={useAbsolute(at, true)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {useAbsolute(at)}
    </time>
  );
}

/** "14:02", where the day goes without saying, with all of it for the mouse. `at` is ISO 8601. */
export function ClockTime({ at }: { at: string }) {
  const format = useFormatter();
  return (
    <time
      dateTime={at}
      title={useAbsolute(at, true)}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {format.dateTime(new Date(at), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })}
    </time>
  );
}

/** "3 days ago", kept up to date, with the exact time for the mouse. `at` is ISO 8601, in the past. */
export function RelativeTime({ at }: { at: string }) {
  const format = useFormatter();
  const now = useServerNow();
  const then = new Date(at).getTime();
  // The server may have written it just after its clock was read: that is not the future.
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

/** One clock for all ages on the screen: they update together. */
let shownNow: number | null = null;
const shown = new Set<() => void>();
let stop: (() => void) | null = null;

function tick(): void {
  shownNow = serverNow();
  for (const update of shown) update();
}

function subscribe(update: () => void): () => void {
  shown.add(update);
  if (!stop) {
    const timer = setInterval(tick, refreshEvery);
    const forget = onServerTime(tick);
    stop = () => {
      clearInterval(timer);
      forget();
    };
    shownNow = serverNow();
  }
  return () => {
    shown.delete(update);
    if (shown.size > 0) return;
    stop?.();
    stop = null;
  };
}

/** The server's time, never the browser's; until an answer brings it, the page's. */
function useServerNow(): number {
  const loaded = useNow();
  useEffect(() => hearServerTime(loaded.toISOString(), { fresh: false }), [loaded]);
  const now = useSyncExternalStore(
    subscribe,
    () => shownNow,
    () => null,
  );
  return now ?? loaded.getTime();
}
