"use client";

import { useEffect, useState } from "react";

/**
 * Counts down from `seconds`. The first render returns `seconds`, so that server and browser render the same. Uses
 * whichever of two clocks is ahead: one stops while a computer sleeps, the other can be set.
 */
export function useSecondsLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const began = { steady: performance.now(), day: Date.now() };
    const timer = setInterval(() => {
      const passed = Math.max(performance.now() - began.steady, Date.now() - began.day) / 1_000;
      setLeft(Math.max(0, Math.ceil(seconds - passed)));
      if (passed >= seconds) clearInterval(timer);
    }, 500);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
