import { setTimeout } from "node:timers/promises";
import type { Elements } from "@/components/ui/sentences";
import type { ReactNode } from "react";
import { LastingBoundary } from "./lasting-boundary";

/** Milliseconds. Nobody notices so short a wait, and the browser renders the page only once. */
const graceMs = 100;

type StreamedProps = {
  load: () => Promise<Elements>;
  /** Shown instead during longer waits. */
  fallback: ReactNode;
};

/**
 * A part of a page that may take long to load. If it loads at once, the page arrives as a whole; otherwise the rest of
 * the page arrives first. A `Suspense` alone would send the fallback first, and the browser would compute styles twice.
 */
export async function Streamed({ load, fallback }: StreamedProps) {
  const content = load();
  const late = Symbol();
  const first = await Promise.race([content, setTimeout(graceMs, late)]);
  return (
    <LastingBoundary {...(first === late && { fallback })}>
      {first === late ? content : first}
    </LastingBoundary>
  );
}
