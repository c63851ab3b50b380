"use client";

import { bandQuery } from "@/lib/watch/client/queries";
import type { BandDay } from "@/lib/watch/model/band";
import type { WebhookType } from "@/lib/webhooks/model/types";
import { useQuery } from "@tanstack/react-query";
import { useFormatter, useTranslations } from "next-intl";
import { Numbers, Ticks, useTickSummary } from "./ticks";

type BandProps = { place: { partner: string; environment: string }; type: WebhookType };

/** Sixty days of readings of one type, each with the worst that was seen. Nothing where they are not known. */
export function Band({ place, type }: BandProps) {
  const { data } = useQuery(bandQuery(place.partner, place.environment));
  return data ? <Days days={data.days} type={type} /> : null;
}

function Days({ days, type }: { days: readonly BandDay[]; type: WebhookType }) {
  const t = useTranslations();
  const format = useFormatter();
  const summary = useTickSummary();
  const ticks = days.map(({ day, states }) => ({ id: day, state: states[type] }));
  const label = t("webhooks.band.label", { type: t(`webhooks.types.${type}`), count: days.length });
  return (
    <div className="flex flex-col gap-1.5 border-t border-line px-4 py-3 sm:px-5">
      <p className="flex justify-between gap-4 text-small text-ink-3">
        <span>{t("webhooks.band.title", { count: days.length })}</span>
        <span aria-hidden>{t("common.readings.now")}</span>
      </p>
      <Ticks ticks={ticks} />
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <p className="text-small text-ink-2">{summary(ticks, "days")}</p>
        <Numbers
          label={label}
          columns={(["day", "state", "readings", "failed", "slowest"] as const).map((column) =>
            t(`common.readings.columns.${column}`),
          )}
          rows={() =>
            [...days]
              .reverse()
              .map(({ day, states, readings, failed, slowestMs }) => [
                format.dateTime(new Date(day), { dateStyle: "medium", timeZone: "UTC" }),
                t(`common.readings.states.${states[type]}`),
                format.number(readings),
                format.number(failed),
                slowestMs === null ? "–" : t("common.readings.ms", { ms: slowestMs }),
              ])
          }
        />
      </div>
    </div>
  );
}
