"use client";

import { syncServerClock, onServerTime, serverNow } from "@/lib/platform/http/client/server-clock";
import { useFormatter, useLocale, useNow, useTimeZone, useTranslations } from "next-intl";
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from "react";

/** Milliseconds between updates of "12 seconds ago". */
const refreshMs = 10_000;

/** `at`: ISO 8601. `ahead`: a future moment. Others in the future come from a wrong clock, and show as now. */
type Moment = { at: string; ahead?: true };

/** "17 Nov, 14:02 BRT", in the reader's language and time zone, with the seconds in the tooltip. */
export function AbsoluteTime(moment: Moment) {
  return <Time at={useMoment(moment)} />;
}

const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23" } as const;

/** "14:02", for a day known from the context, with the full time in the tooltip. */
export function ClockTime(moment: Moment) {
  const format = useFormatter();
  const at = useMoment(moment);
  return <Time at={at} text={() => format.dateTime(new Date(at), clock)} />;
}

/** "14:02" for a moment of today, else "17 Nov, 14:02", with the full time in the tooltip. */
export function ShortTime(moment: Moment) {
  const format = useFormatter();
  const now = useNow();
  const at = useMoment(moment);
  const dayOf = (date: Date) => format.dateTime(date, { day: "numeric", month: "short" });
  const text = () => {
    const date = new Date(at);
    const time = format.dateTime(date, clock);
    return dayOf(date) === dayOf(now) ? time : `${dayOf(date)}, ${time}`;
  };
  return <Time at={at} text={text} />;
}

/** Milliseconds in which something happened "just now": counting its seconds tells nobody anything. */
const justNowMs = 60_000;

/** "3 days ago", kept up to date, with the exact time in the tooltip. `at` is ISO 8601, in the past. */
export function RelativeTime(moment: { at: string }) {
  const t = useTranslations("common");
  const format = useFormatter();
  const at = useMoment(moment);
  const loaded = useNow().getTime();
  const now = useServerNow();
  const then = new Date(at).getTime();
  const text = () => (now - then < justNowMs ? t("justNow") : format.relativeTime(then, now));
  return <Time at={at} text={text} age old={now - loaded >= refreshMs} />;
}

function useMoment({ at, ahead }: Moment): string {
  const now = useNow().getTime();
  if (ahead) return at;
  const latest = serverNow() ?? now;
  return Date.parse(at) > latest ? new Date(latest).toISOString() : at;
}

/** Whether `at`, ISO 8601, is more than `ms` milliseconds ago, by the clock of `RelativeTime`. */
export function useIsLongAgo(at: string, ms: number): boolean {
  return useServerNow() - new Date(at).getTime() > ms;
}

/** Whole days until `at`, ISO 8601, by the clock of `RelativeTime`; negative afterwards. */
export function useDaysUntil(at: string): number {
  return Math.floor((new Date(at).getTime() - useServerNow()) / 86_400_000);
}

/** Formats an ISO 8601 time as date, time and zone for the reader, with the year only if it is not the current one. */
function useAbsolute(at: string): (more?: { second?: "2-digit" }) => string {
  const format = useFormatter();
  return (more = {}) => {
    const date = new Date(at);
    const thisYear = date.getUTCFullYear() === new Date().getUTCFullYear();
    return format.dateTime(date, {
      day: "numeric",
      month: "short",
      ...(thisYear ? {} : { year: "numeric" }),
      ...clock,
      ...more,
      timeZoneName: "short",
    });
  };
}

type TimeProps = {
  at: string;
  /** Shown instead of date, time and zone, which the tooltip then has. */
  text?: () => string;
  /** An age, which is printed together with its tooltip; that has no seconds. */
  age?: boolean;
  /** The server's text is out of date. */
  old?: boolean;
};

/**
 * The server's text stays until it is out of date. The browser would format it at a slightly different time and with
 * another version of the locale data, and its first formatter blocks the page for 20 ms or more.
 */
function Time({ at, text, age = false, old = false }: TimeProps) {
  const absolute = useAbsolute(at);
  const key = [at, useLocale(), useTimeZone()].join(" ");
  const [serverKey, setServerKey] = useState<string | null>(key);
  if (serverKey !== null && (serverKey !== key || old)) setServerKey(null);
  const element = useRef<HTMLTimeElement>(null);
  // The browser rendered this element itself, so there is no server text to keep.
  useLayoutEffect(() => {
    if (element.current?.textContent === "") setServerKey(null);
  }, []);
  const isKept = serverKey !== null && typeof window !== "undefined";
  return (
    <time
      ref={element}
      dateTime={at}
      {...(!isKept && { title: absolute(age ? {} : { second: "2-digit" }) })}
      {...(age && { "data-age": "" })}
      suppressHydrationWarning
      className="whitespace-nowrap"
    >
      {isKept ? "" : (text ?? absolute)()}
    </time>
  );
}

/** One clock for all ages on the screen, so that they update together. */
let shownNow: number | null = null;
const listeners = new Set<() => void>();
let stop: (() => void) | null = null;

function tick(): void {
  shownNow = serverNow();
  for (const update of listeners) update();
}

function subscribe(update: () => void): () => void {
  listeners.add(update);
  if (!stop) {
    const timer = setInterval(tick, refreshMs);
    const forget = onServerTime(tick);
    stop = () => {
      clearInterval(timer);
      forget();
    };
    // A page that has just loaded keeps its own time until the first tick, so that no age renders twice.
    if (performance.now() > refreshMs) shownNow = serverNow();
  }
  return () => {
    listeners.delete(update);
    if (listeners.size > 0) return;
    stop?.();
    stop = null;
  };
}

/** The server's time, never the browser's. Until a response brings it, the time at which the page was rendered. */
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
