"use client";

import type { ReactNode } from "react";
import { Overlay, type OverlayProps } from "./overlay";

type SheetProps = Pick<OverlayProps, "title" | "description" | "returnTo" | "children"> & {
  /**
   * Called on Escape, the close button or a click outside. The caller closes, or asks first if something would be lost.
   */
  onCloseRequest: () => void;
  /** Focuses the sheet's main field, if it has one. */
  onOpened?: () => void;
  /** Stays in view below the scrolling content. A submit button in it needs the `form` attribute. */
  footer: ReactNode;
  /** Makes the content focusable if nothing in it is, so that it can be scrolled with the keyboard. */
  scrollsItself?: boolean;
};

/** A panel at the right on a wide screen, the whole screen on a phone. */
export function Sheet(props: SheetProps) {
  const { onCloseRequest, onOpened, footer, scrollsItself = false, children, ...overlay } = props;
  return (
    <Overlay
      {...overlay}
      layer="page"
      onClose={onCloseRequest}
      onOpened={(panel) => {
        // Focuses the panel, so that a screen reader starts with the title and a phone's keyboard stays closed.
        if (onOpened && matchMedia("(pointer: fine)").matches) onOpened();
        else panel.focus();
      }}
      className="inset-y-0 right-0 flex w-full animate-slide-in flex-col border-line bg-surface shadow-sheet sm:max-w-135 sm:border-l"
      headerClassName="border-b border-line px-4 py-4 sm:px-6 sm:py-5"
    >
      <div
        {...(scrollsItself && { tabIndex: 0, role: "group", "aria-label": overlay.title })}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 sm:px-6"
      >
        {children}
      </div>
      <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-4 py-3 sm:px-6">
        {footer}
      </footer>
    </Overlay>
  );
}
