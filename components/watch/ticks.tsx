"use client";

import { cn } from "@/components/ui/cn";
import type { DayState } from "@/lib/watch/model/band";
import { useTranslations } from "next-intl";
import { useId, useState, type ReactNode } from "react";

const looks: Record<DayState, string> = {
  confirmed: "bg-ok/55",
  changed_outside: "bg-warn",
  failing: "bg-bad",
  not_read: "bg-line",
};

export type Tick = { id: string; state: DayState };

/** A tick for each day or hour, the oldest first. For the eye alone: the same stands in words beside it, and in a table. */
export function Ticks({ ticks }: { ticks: readonly Tick[] }) {
  return (
    <div aria-hidden className="flex h-5 gap-px sm:gap-[2px] print:hidden">
      {ticks.map(({ id, state }) => (
        <span key={id} className={cn("min-w-0 flex-1 rounded-[2px]", looks[state])} />
      ))}
    </div>
  );
}

const order = ["confirmed", "failing", "changed_outside", "not_read"] as const;

/** "54 confirmed, 2 failing": what the ticks say, in words. */
export function useTickSummary(): (ticks: readonly Tick[], unit: "days" | "hours") => string {
  const t = useTranslations("common.readings");
  return (ticks, unit) =>
    order
      .flatMap((state) => {
        const count = ticks.filter((tick) => tick.state === state).length;
        return count > 0 ? [t(`summary.${state}`, { count: t(`units.${unit}`, { count }) })] : [];
      })
      .join(" · ");
}

type NumbersProps = {
  /** What the table is of. */
  label: string;
  columns: readonly string[];
  /** Drawn only once somebody asks for them. */
  rows: () => readonly (readonly ReactNode[])[];
};

/** The numbers behind a picture, for whoever cannot see it or wants to know exactly. */
export function Numbers({ label, columns, rows }: NumbersProps) {
  const t = useTranslations("common.readings");
  const [open, setOpen] = useState(false);
  const id = useId();
  return (
    <div className="print:hidden">
      <button
        type="button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        aria-label={`${t(open ? "hideTable" : "showTable")}: ${label}`}
        onClick={() => setOpen(!open)}
        className="min-h-6 rounded-control text-small font-medium text-brand hover:underline"
      >
        {t(open ? "hideTable" : "showTable")}
      </button>
      {open ? (
        <div
          id={id}
          role="region"
          aria-label={label}
          tabIndex={0}
          className="mt-2 max-h-72 overflow-auto rounded-control border border-line"
        >
          <table className="w-full text-small">
            <caption className="sr-only">{label}</caption>
            <thead className="sticky top-0 bg-sunken">
              <tr>
                {columns.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    className="px-3 py-1.5 text-left font-medium whitespace-nowrap text-ink-2"
                  >
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="divide-y divide-line">
              {rows().map(([first, ...others], at) => (
                <tr key={at}>
                  <th scope="row" className="px-3 py-1 text-left font-normal whitespace-nowrap">
                    {first}
                  </th>
                  {others.map((cell, column) => (
                    <td key={column} className="px-3 py-1 whitespace-nowrap">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : null}
    </div>
  );
}
