"use client";

import { lazyPart } from "@/components/layout/lazy-part";

/** Few visits are to see a value, and only an admin's. */
export const { LazyPart: RevealDialog, preload: preloadReveal } = lazyPart(
  () => import("./reveal-dialog").then((module) => module.RevealDialog),
  ({ onClose }) => onClose(),
);
