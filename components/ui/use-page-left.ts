"use client";

import { useEffect, useEffectEvent } from "react";
import { flushSync } from "react-dom";

/**
 * Browsers may keep a page in the back/forward cache after people leave it. `clear` first removes what must not be
 * kept.
 */
export function usePageLeft(clear: () => void): void {
  const clearNow = useEffectEvent(clear);
  useEffect(() => {
    const leave = () => flushSync(() => clearNow());
    window.addEventListener("pagehide", leave);
    return () => window.removeEventListener("pagehide", leave);
  }, []);
}
