"use client";

import type { DayState } from "@/lib/watch/model/band";
import { useState, type PointerEvent } from "react";

type TicksProps = {
  /** Of an hour or a day the worst that was read in it; the oldest first. */
  states: readonly DayState[];
  /** What the band says, in words. */
  label: string;
  /** Of each hour or day, for the mouse; one by one where they need not all be written. */
  titles: readonly string[] | ((index: number) => string);
};

const colours: Record<DayState, string> = {
  confirmed: "fill-ok/60",
  changed_outside: "fill-warn",
  failing: "fill-bad",
  not_read: "fill-line",
};

/** How much of its place a tick takes; the rest parts it from the next. */
const width = 0.78;

/**
 * A band of ticks; a table with all of it belongs beside it. One shape for each state: an element with a title of its own
 * for each tick was a quarter of the Webhooks screen.
 */
export function Ticks({ states, label, titles }: TicksProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const titleOf = (index: number) => (typeof titles === "function" ? titles(index) : titles[index]);
  function point({ clientX, currentTarget }: PointerEvent) {
    const { left, width: whole } = currentTarget.getBoundingClientRect();
    const index = Math.floor(((clientX - left) / whole) * states.length);
    setPointed(Math.min(Math.max(index, 0), states.length - 1));
  }
  return (
    <div
      role="img"
      aria-label={label}
      title={pointed === null ? undefined : titleOf(pointed)}
      onPointerMove={point}
      className="h-5"
    >
      <svg
        aria-hidden
        viewBox={`0 0 ${states.length} 1`}
        preserveAspectRatio="none"
        className="size-full"
      >
        {[...new Set(states)].map((state) => (
          <path key={state} d={shapeOf(states, state)} className={colours[state]} />
        ))}
      </svg>
    </div>
  );
}

function shapeOf(states: readonly DayState[], state: DayState): string {
  return states
    .map((each, index) => (each === state ? `M${index} 0h${width}v1h-${width}z` : ""))
    .join("");
}
