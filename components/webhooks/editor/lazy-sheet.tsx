"use client";

import { lazyPart } from "@/components/layout/lazy-part";
import { useEffect } from "react";

/** The form and what it needs is a third of the screen's code, and most visits are to look. */
export const { LazyPart: WebhookSheet, preload: preloadSheet } = lazyPart(
  () => import("./webhook-sheet").then((module) => module.WebhookSheet),
  ({ hold }) => hold.close(),
);

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
