"use client";

import { syncServerClock, onServerTime, serverNow } from "@/lib/platform/http/client/server-clock";
import { useFormatter, useLocale, useNow, useTimeZone } from "next-intl";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

/** How often "12 seconds ago" updates. */
const refreshEvery = 10_000;

/** ISO 8601. `ahead`: it may be still to come. What has happened cannot be: a clock that was wrong wrote it down so. */
type Moment = { at: string; ahead?: true };

/** "17 Nov, 14:02 BRT", in the reader's language and zone, with the seconds for the mouse. */
export function AbsoluteTime(moment: Moment) {
  const at = useMoment(moment);
  const absolute = useAbsolute(at);
  return <Time at={at} text={() => absolute()} title={() => absolute({ second: "2-digit" })} />;
}

/** "14:02", where the day goes without saying, with all of it for the mouse. */
export function ClockTime(moment: Moment) {
  const format = useFormatter();
  const at = useMoment(moment);
  const absolute = useAbsolute(at);
  return (
    <Time
      at={at}
      text={() =>
        format.dateTime(new Date(at), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
      }
      title={() => absolute({ second: "2-digit" })}
    />
  );
}

/** "3 days ago", kept up to date, with the exact time for the mouse. `at` is ISO 8601, in the past. */
export function RelativeTime(moment: { at: string }) {
  const format = useFormatter();
  const at = useMoment(moment);
  const absolute = useAbsolute(at);
  const loaded = useNow().getTime();
  const now = useServerNow();
  const then = new Date(at).getTime();
  // The server may have written it just after its clock was read: that is not the future.
  const reference = Math.max(now, then + 1_000);
  return (
    <Time
      at={at}
      age
      old={now - loaded >= refreshEvery}
      text={() => format.relativeTime(then, reference)}
      title={() => absolute()}
    />
  );
}

function useMoment({ at, ahead }: Moment): string {
  const now = useNow().getTime();
  if (ahead) return at;
  const latest = serverNow() ?? now;
  return Date.parse(at) > latest ? new Date(latest).toISOString() : at;
}

/** Whether a moment, ISO 8601, is longer ago than so many milliseconds, by the clock that ages are shown by. */
export function useIsLongAgo(at: string, ms: number): boolean {
  return useServerNow() - new Date(at).getTime() > ms;
}

/** ISO 8601 in. Date, time and zone in the reader's own; the year only where it is not this one. */
function useAbsolute(at: string): (more?: { second?: "2-digit" }) => string {
  const format = useFormatter();
  return (more = {}) => {
    const date = new Date(at);
    const thisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
    return format.dateTime(date, {
      day: "numeric",
      month: "short",
      ...(thisYear ? {} : { year: "numeric" }),
      hour: "2-digit",
      minute: "2-digit",
      ...more,
      hourCycle: "h23",
      timeZoneName: "short",
    });
  };
}

type TimeProps = {
  at: string;
  text: () => string;
  title: () => string;
  /** It says how long ago, and on paper its title as well. */
  age?: boolean;
  /** The server's text is too old. */
  old?: boolean;
};

/**
 * The server's text stays until it is out of date. The browser would format it at a slightly different time and with
 * another edition of the locale data, and its first formatter would keep the page from responding for 20 ms or more.
 */
function Time({ at, text, title, age = false, old = false }: TimeProps) {
  const shows = [at, useLocale(), useTimeZone()].join(" ");
  const [ofServer, setOfServer] = useState<string | null>(shows);
  if (ofServer !== null && (ofServer !== shows || old)) setOfServer(null);
  const element = useRef<HTMLTimeElement>(null);
  // The browser drew this element itself: the server wrote no text that could stay.
  useLayoutEffect(() => {
    if (element.current?.textContent === "") setOfServer(null);
  }, []);
  const isKept = ofServer !== null && typeof window !== "undefined";
  return (
    <time
      ref={element}
      dateTime={at}
      {...(!isKept && { title: title() })}
      {...(age && { "data-age": "" })}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {isKept ? "" : text()}
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
    // Until the first tick, the time of a page that has just loaded will do: otherwise all ages would be drawn twice.
    if (performance.now() > refreshEvery) shownNow = serverNow();
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
  useEffect(() => syncServerClock(loaded.toISOString(), { fresh: false }), [loaded]);
  const now = useSyncExternalStore(
    subscribe,
    () => shownNow,
    () => null,
  );
  return now ?? loaded.getTime();
}
