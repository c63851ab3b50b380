import { setTimeout } from "node:timers/promises";
import { Suspense, type ReactNode } from "react";

/** In milliseconds: somebody who waits this long notices no difference, and the browser draws the page once. */
const atOnce = 100;

type StreamedProps = {
  load: () => Promise<Awaited<ReactNode>>;
  /** Stands in its place for longer waits. */
  fallback: ReactNode;
};

/**
 * A part of a page that may take long to load. Where it is there at once, the page arrives as a whole; otherwise the rest
 * of it arrives first. React would send it behind its fallback in any case, for the browser to style and lay out both.
 */
export async function Streamed({ load, fallback }: StreamedProps) {
  const content = load();
  const late = Symbol();
  const first = await Promise.race([content, setTimeout(atOnce, late)]);
  return first === late ? <Suspense fallback={fallback}>{content}</Suspense> : first;
}
