import type { AppliesTo, WebhookType } from "@/lib/webhooks/model/types";

/** A button that opens this sheet: it takes the focus back when the pressed one is gone by then. */
export function findEditButton(opens: AppliesTo): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-opens="${opens}"]`);
}

/** The button that reveals this type's Authorization value. */
export function findRevealButton(type: WebhookType): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-reveals="${type}"]`);
}
