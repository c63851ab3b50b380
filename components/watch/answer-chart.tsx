"use client";

import type { Overview } from "@/lib/watch/model/overview";
import { useFormatter, useTranslations } from "next-intl";

type Hour = Overview["hours"][number];

const width = 480;
const height = 120;

/** Answer times as a line, with the hours shaded in which most readings failed. Its numbers are in the table below it. */
export function AnswerChart({ hours }: { hours: readonly Hour[] }) {
  const t = useTranslations();
  const format = useFormatter();
  const top = roundUp(Math.max(50, ...hours.map(({ p95Ms }) => p95Ms ?? 0)) * 1.15);
  const step = width / Math.max(1, hours.length - 1);
  const x = (at: number) => Math.round(at * step * 10) / 10;
  const y = (ms: number) => Math.round((1 - ms / top) * height * 10) / 10;
  const lines = [top / 2, top];
  const hourOf = (at: number) =>
    format.dateTime(new Date(hours[at]?.at ?? 0), {
      weekday: "short",
      hour: "2-digit",
      minute: "2-digit",
      hourCycle: "h23",
    });
  return (
    <div aria-hidden className="flex flex-col gap-1 print:hidden">
      <div className="relative">
        <svg
          viewBox={`0 -4 ${width} ${height + 4}`}
          preserveAspectRatio="none"
          className="block h-40 w-full"
        >
          {lines.map((ms) => (
            <line
              key={ms}
              x1={0}
              x2={width}
              y1={y(ms)}
              y2={y(ms)}
              className="stroke-line"
              vectorEffect="non-scaling-stroke"
            />
          ))}
          {runsOf(hours).map((run) => (
            <g key={run.from}>
              <path
                d={`M${x(run.from)},${height} ${run.ms.map((ms, at) => `L${x(run.from + at)},${y(ms)}`).join(" ")} L${x(run.from + run.ms.length - 1)},${height}Z`}
                className="fill-brand-soft"
              />
              <polyline
                points={run.ms.map((ms, at) => `${x(run.from + at)},${y(ms)}`).join(" ")}
                fill="none"
                strokeWidth={2}
                strokeLinejoin="round"
                strokeLinecap="round"
                className="stroke-brand"
                vectorEffect="non-scaling-stroke"
              />
            </g>
          ))}
          {hours.map((hour, at) =>
            isFailing(hour) ? (
              <rect
                key={hour.at}
                x={Math.max(0, x(at) - step / 2)}
                y={-4}
                width={step}
                height={height + 4}
                className="fill-bad/20"
              />
            ) : null,
          )}
          <line
            x1={0}
            x2={width}
            y1={height}
            y2={height}
            className="stroke-line-strong"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        {lines.map((ms) => (
          <span
            key={ms}
            className="absolute left-0 -translate-y-full text-xs text-ink-3"
            style={{ top: `${((y(ms) + 4) / (height + 4)) * 100}%` }}
          >
            {t("common.readings.ms", { ms: Math.round(ms) })}
          </span>
        ))}
      </div>
      <p className="flex justify-between text-xs text-ink-3" suppressHydrationWarning>
        <span suppressHydrationWarning>{hourOf(0)}</span>
        <span suppressHydrationWarning>{hourOf(Math.floor(hours.length / 2))}</span>
        <span>{t("common.readings.now")}</span>
      </p>
    </div>
  );
}

/** Most of what was read then failed. */
export function isFailing({ readings, failed }: Pick<Hour, "readings" | "failed">): boolean {
  return readings > 0 && failed * 2 >= readings;
}

/** Stretches of hours that have an answer time: where nothing was answered, there is no line. */
function runsOf(hours: readonly Hour[]): { from: number; ms: number[] }[] {
  const runs: { from: number; ms: number[] }[] = [];
  hours.forEach(({ p95Ms }, at) => {
    if (p95Ms === null) return;
    const last = runs.at(-1);
    if (last && last.from + last.ms.length === at) last.ms.push(p95Ms);
    else runs.push({ from: at, ms: [p95Ms] });
  });
  return runs;
}

/** To 1, 2 or 5 with zeros: what people read off an axis. */
function roundUp(value: number): number {
  const size = 10 ** Math.floor(Math.log10(value));
  return size * ([1, 2, 5, 10].find((times) => times * size >= value) ?? 10);
}
