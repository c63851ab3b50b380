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
  // A failure counts when the sheet is opened, not before.
  load().catch(() => {});
}

const signsOfLife = ["pointermove", "pointerdown", "keydown"] as const;

/** Fetches the sheet's code at the first sign that somebody is about to use the page, so that it opens at once. */
export function usePreloadedSheet(wanted: boolean): void {
  useEffect(() => {
    if (!wanted) return;
    const heard = new AbortController();
    const preloadOnce = () => {
      heard.abort();
      preloadSheet();
    };
    for (const sign of signsOfLife) {
      window.addEventListener(sign, preloadOnce, { passive: true, signal: heard.signal });
    }
    return () => heard.abort();
  }, [wanted]);
}
