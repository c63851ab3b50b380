"use client";

import dynamic from "next/dynamic";
import { useEffect } from "react";

const load = () => import("./webhook-sheet");

/** The form and what it needs is a third of the screen's code, and most visits are to look. */
export const WebhookSheet = dynamic(() => load().then((module) => module.WebhookSheet), {
  ssr: false,
});

/** For the moment somebody reaches for a button that opens it. */
export function preloadSheet(): void {
  // Without a network the sheet says so itself when it is opened.
  load().catch(() => {});
}

/** Fetches the sheet's code once the browser has nothing better to do. */
export function usePreloadedSheet(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    // Safari has no idle callback.
    if (typeof window.requestIdleCallback !== "function") {
      const timer = window.setTimeout(preloadSheet, 1_000);
      return () => window.clearTimeout(timer);
    }
    const handle = window.requestIdleCallback(preloadSheet, { timeout: 3_000 });
    return () => window.cancelIdleCallback(handle);
  }, [wanted]);
}
