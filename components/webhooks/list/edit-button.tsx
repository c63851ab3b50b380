"use client";

import { Button } from "@/components/ui/button";
import type { SheetAddress } from "@/lib/webhooks/model/sheet-address";
import type { AppliesTo } from "@/lib/platform/payment-service/contract/terms";
import { createContext, use, type ComponentProps, type FormEvent } from "react";
import { preloadSheet } from "@/components/webhooks/editor/open-sheet";

/** Whether, here and now, this person may change webhooks. */
export type Editing =
  | { allowed: true }
  /** They may not: the buttons are absent, and a note says who can. */
  | { allowed: false; because: "role" }
  /** The shown configuration may be old: the buttons are off, described by the notice with this id. */
  | { allowed: false; because: "old"; noticeId: string };

/** The same for every button of the screen, with what opens the sheet. */
export const EditingContext = createContext<{
  editing: Editing;
  open: (address: SheetAddress) => void;
}>({ editing: { allowed: false, because: "role" }, open: () => {} });

type EditButtonProps = Omit<ComponentProps<typeof Button>, "onClick"> & {
  /** The sheet that it opens. */
  opens: SheetAddress;
};

/**
 * A button that opens the sheet: absent for those who may not, off with the reason while nothing can be saved.
 * It submits the sheet's address, so that a press also counts before the page's scripts have arrived.
 */
export function EditButton({ opens, ...rest }: EditButtonProps) {
  const { editing, open } = use(EditingContext);
  if (!editing.allowed) {
    if (editing.because === "role") return null;
    return <Button {...rest} disabled aria-describedby={editing.noticeId} />;
  }
  const submit = (event: FormEvent) => {
    event.preventDefault();
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
        // The attribute that `findEditButton` searches for.
        data-opens={opens.type}
        onPointerEnter={preloadSheet}
        onFocus={preloadSheet}
      />
    </form>
  );
}

/** A button that opens this sheet: it takes the focus back when the pressed one is gone by then. */
export function findEditButton(opens: AppliesTo): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-opens="${opens}"]`);
}
