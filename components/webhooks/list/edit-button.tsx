"use client";

import { Button } from "@/components/ui/button";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import { createContext, use, type ComponentProps, type SubmitEvent } from "react";
import { preloadSheet } from "@/components/webhooks/editor/open-sheet";

/** Whether this person may change webhooks now. */
export type Editing =
  | { allowed: true }
  /** The role does not allow it: the buttons are absent, and a note says who can. */
  | { allowed: false; reason: "role" }
  /** The shown configuration may be stale: the buttons are disabled and described by the notice with this id. */
  | { allowed: false; reason: "old"; noticeId: string };

/** Gives every button on the screen the same state and the function that opens the sheet. */
export const EditingContext = createContext<{
  editing: Editing;
  open: (address: SheetAddress) => void;
}>({ editing: { allowed: false, reason: "role" }, open: () => {} });

type EditButtonProps = Omit<ComponentProps<typeof Button>, "onClick"> & {
  /** The sheet that the button opens. */
  opens: SheetAddress;
  /** Called before it opens. */
  onOpen?: () => void;
};

/**
 * A button that opens a sheet: absent if the role does not allow it, disabled with a reason while nothing can be saved.
 * It is a form with the sheet's URL, for a browser that runs no script.
 */
export function EditButton({ opens, onOpen, ...rest }: EditButtonProps) {
  const { editing, open } = use(EditingContext);
  if (!editing.allowed) {
    if (editing.reason === "role") return null;
    return <Button {...rest} disabled aria-describedby={editing.noticeId} />;
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    onOpen?.();
    open(opens);
  };
  return (
    <form method="get" onSubmit={submit} className="flex *:flex-1">
      {opens.from ? <input type="hidden" name="from" value={opens.from} /> : null}
      <Button
        {...rest}
        type="submit"
        name={opens.mode}
        value={opens.type}
        // For `findEditButton`.
        data-opens={opens.type}
        onPointerEnter={preloadSheet}
        onFocus={preloadSheet}
      />
    </form>
  );
}
