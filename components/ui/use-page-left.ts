"use client";

import { useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";

/**
 * A page that is left may be kept whole, to be there at once when somebody presses Back: without what `clear` takes off
 * it, then.
 */
export function usePageLeft(clear: () => void): void {
  const clearNow = useEffectEvent(clear);
  useEffect(() => {
    const leave = () => flushSync(() => clearNow());
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
}
