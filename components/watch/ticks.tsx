"use client";

import type { DayState } from "@/lib/watch/model/band";
import { useState, type PointerEvent } from "react";

type TicksProps = {
  /** The worst reading of each hour or day; the oldest first. */
  states: readonly DayState[];
  /** The band's content, in words. */
  label: string;
  /** A text for each hour or day, for the mouse; as a function where they need not all be written. */
  titles: readonly string[] | ((index: number) => string);
};

const colours: Record<DayState, string> = {
  confirmed: "fill-ok/60",
  changed_outside: "fill-warn",
  failing: "fill-bad",
  not_read: "fill-line",
};

/** The share of its slot that a tick fills; the rest separates it from the next. */
const width = 0.78;

/**
 * A band of ticks; a table with all of it belongs beside it. One shape for each state: an element with a title for each
 * tick made up a quarter of the Webhooks screen.
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
