"use client";

import { cn } from "./cn";
import { Overlay, type OverlayProps } from "./overlay";

type DialogProps = Pick<
  OverlayProps,
  "title" | "description" | "onClose" | "returnTo" | "children"
> & {
  /** An alert dialog: a question that has to be answered, so there is no close button. */
  alert?: boolean;
  /** A wide panel, for comparisons. */
  wide?: boolean;
};

/** A modal for a small task. Focus starts in its first field, or on the first button of a question. */
export function Dialog({ alert = false, wide = false, ...overlay }: DialogProps) {
  return (
    <Overlay
      {...overlay}
      layer="sheet"
      role={alert ? "alertdialog" : "dialog"}
      onOpened={(panel) =>
        (panel.querySelector<HTMLElement>(alert ? "button" : "input") ?? panel).focus()
      }
      className={cn(
        "inset-x-4 top-1/2 mx-auto flex max-h-[calc(100dvh-2rem)] -translate-y-1/2 animate-fade-in flex-col gap-5 overflow-y-auto rounded-card border border-line bg-surface p-5 shadow-menu sm:p-6",
        wide ? "max-w-xl" : "max-w-md",
      )}
    />
  );
}
