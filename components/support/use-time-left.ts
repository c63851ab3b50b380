"use client";

import { useEffect, useState } from "react";

/**
 * Whole seconds until something that is `seconds` away when the page comes, counted on the clock that nobody sets. At
 * first what the server said, so that both draw the same.
 */
export function useTimeLeft(seconds: number): number {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    const end = performance.now() + seconds * 1_000;
    const timer = setInterval(
      () => setLeft(Math.max(0, Math.ceil((end - performance.now()) / 1_000))),
      1_000,
    );
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
