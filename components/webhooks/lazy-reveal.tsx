"use client";

import dynamic from "next/dynamic";

const load = () => import("./reveal-dialog");

/** Few visits are to see a value, and only an admin's. */
export const RevealDialog = dynamic(() => load().then((module) => module.RevealDialog), {
  ssr: false,
});

/** For the moment somebody reaches for the button that opens it. */
export function preloadReveal(): void {
  // A failure counts when the dialog is opened, not before.
  load().catch(() => {});
}
