"use client";

import { useEffect, useEffectEvent, useState } from "react";

/**
 * Whole seconds left of those for which something is shown; calls `onOver` once when there are none. Counted on two
 * clocks, whichever is ahead: one stands still while a computer sleeps, the other can be set.
 */
export function useShownFor(seconds: number, onOver: () => void): number {
  const [left, setLeft] = useState(seconds);
  const over = useEffectEvent(onOver);
  useEffect(() => {
    const began = { steady: performance.now(), day: Date.now() };
    const timer = setInterval(() => {
      const passed = Math.max(performance.now() - began.steady, Date.now() - began.day) / 1_000;
      setLeft(Math.max(0, Math.ceil(seconds - passed)));
      if (passed < seconds) return;
      clearInterval(timer);
      over();
    }, 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
