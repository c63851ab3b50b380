import type { AppliesTo } from "@/lib/platform/payment-service/contract/terms";

/** An `EditButton` that opens this sheet, to focus if the one that was clicked is gone. */
export function findEditButton(opens: AppliesTo): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-opens="${opens}"]`);
}
