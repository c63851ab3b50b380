"use client";

import { useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";

/**
 * A browser may keep a page whole after people leave it, to show it at once when somebody presses Back. `clear` first
 * removes what must not be kept.
 */
export function usePageLeft(clear: () => void): void {
  const clearNow = useEffectEvent(clear);
  useEffect(() => {
    const leave = () => flushSync(() => clearNow());
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
}
