"use client";

import { useRef } from "react";

/**
 * Gives focus back where it was before a dialog opened. The dialog library only knows triggers of its own, and ours
 * are opened by state or by the address. Where that place is gone, what `successor` finds takes over, else the dialog
 * underneath or the page's content.
 */
export function useReturnFocus(successor?: () => HTMLElement | null) {
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
      const next = () =>
        successor?.() ??
        document.querySelector<HTMLElement>('[role="dialog"]') ??
        document.querySelector("main");
      (here ? element : next())?.focus();
    },
  };
}
