"use client";

import { useEffect, useState } from "react";

/**
 * Whole seconds until something that is `seconds` away when it is first drawn; at first that, so that server and
 * browser draw the same. Counted on two clocks, whichever is ahead: one stands still while a computer sleeps, the other can be
 * set.
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
