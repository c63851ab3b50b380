"use client";

import { AbsoluteTime } from "@/components/ui/time";
import { Ticks } from "@/components/watch/ticks";
import { countStates } from "@/components/watch/count-states";
import type { Band } from "@/lib/watch/model/band";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useFormatter, useTranslations } from "next-intl";
import { useState } from "react";

/** The last sixty days of a type: a tick a day, in words for people who do not see it, and as a table behind it. */
export function ReadingsBand({ band, type }: { band: Band; type: WebhookType }) {
  const t = useTranslations("webhooks.band");
  const [isOpen, setIsOpen] = useState(false);
  const dayName = useDayName();
  const states = band.days.map((day) => day.states[type]);
  const counts = countStates(states);
  return (
    <div className="flex flex-col gap-2 border-t border-line px-4 py-3 sm:px-5">
      <p className="flex justify-between gap-3 text-small text-ink-2">
        {t("title")}
        <span aria-hidden className="text-ink-3">
          {t("now")}
        </span>
      </p>
      <Ticks
        label={t("alternative", counts)}
        states={states}
        titles={(index) => {
          const pointed = band.days[index];
          return pointed ? `${dayName(pointed.day)} · ${t(`states.${pointed.states[type]}`)}` : "";
        }}
      />
      {band.madeUpUntil === null ? null : (
        <p className="text-small text-ink-2">
          {t.rich("madeUp", {
            time: () => <AbsoluteTime at={band.madeUpUntil ?? ""} />,
          })}
        </p>
      )}
      <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="w-fit rounded-control text-small text-ink-2 underline underline-offset-2">
          {t("table")}
        </summary>
        {isOpen ? <DaysTable band={band} type={type} /> : null}
      </details>
    </div>
  );
}

const columns = ["day", "state", "readings", "failed", "slowest"] as const;

function DaysTable({ band, type }: { band: Band; type: WebhookType }) {
  const t = useTranslations("webhooks");
  const format = useFormatter();
  const dayName = useDayName();
  const caption = t("band.caption", { type: t(`types.${type}`) });
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label={caption}
      className="mt-2 max-h-72 overflow-auto rounded-control border border-line"
    >
      <table className="w-full text-small tabular-nums">
        <caption className="sr-only">{caption}</caption>
        <thead className="bg-sunken text-left text-ink-2">
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col" className="px-3 py-2 font-medium">
                {t(`band.columns.${column}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {[...band.days].reverse().map(({ day, states, readings, failed, slowestMs }) => (
            <tr key={day}>
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap">
                {dayName(day)}
              </th>
              <td className="px-3 py-1.5">{t(`band.states.${states[type]}`)}</td>
              <td className="px-3 py-1.5">{format.number(readings)}</td>
              <td className="px-3 py-1.5">{format.number(failed)}</td>
              <td className="px-3 py-1.5 whitespace-nowrap">
                {slowestMs === null ? "–" : t("band.ms", { ms: slowestMs })}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Days are UTC's, whatever the reader's zone. */
function useDayName(): (day: string) => string {
  const format = useFormatter();
  return (day) =>
    format.dateTime(new Date(`${day}T12:00:00Z`), {
      day: "numeric",
      month: "short",
      year: "numeric",
      timeZone: "UTC",
    });
}
