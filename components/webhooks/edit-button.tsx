"use client";

import { Button } from "@/components/ui/button";
import type { AppliesTo } from "@/lib/webhooks/types";
import type { ComponentProps } from "react";
import type { Editing } from "./editing";
import { preloadSheet } from "./lazy-sheet";

type EditButtonProps = ComponentProps<typeof Button> & {
  editing: Editing;
  /** What it opens the sheet for: another button for the same takes the focus back when this one is gone by then. */
  opens: AppliesTo;
};

/** A button that opens the sheet: absent for those who may not, off with the reason while nothing can be saved. */
export function EditButton({ editing, opens, ...rest }: EditButtonProps) {
  if (editing.allowed) {
    return (
      <Button {...rest} data-opens={opens} onPointerEnter={preloadSheet} onFocus={preloadSheet} />
    );
  }
  if (editing.because === "role") return null;
  return <Button {...rest} disabled aria-describedby={editing.noticeId} />;
}

/** A button that opens the sheet for this. */
export function findEditButton(opens: AppliesTo): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-opens="${opens}"]`);
}
