"use client";

import { useRef } from "react";

/** What stands behind a dialog that closes: at most one other dialog, and then `main` is out of reach. */
const nextBest = '[role="dialog"], main:not([aria-hidden] *)';

/**
 * Gives focus back where it was before a dialog opened. The dialog library only knows triggers of its own, and ours
 * are opened by state or by the address. Where that place is gone, the dialog underneath or the page's content is the
 * next best.
 */
export function useReturnFocus() {
  const before = useRef<Element | null>(null);
  return {
    remember() {
      before.current = document.activeElement;
    },
    giveBack(event: Event) {
      event.preventDefault();
      const element = before.current;
      const here =
        element instanceof HTMLElement && element !== document.body && element.isConnected;
      (here ? element : document.querySelector<HTMLElement>(nextBest))?.focus();
    },
  };
}
