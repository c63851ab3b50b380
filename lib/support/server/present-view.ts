import "server-only";
import type { SupportView } from "@/lib/platform/access/support-view";
import type { ShownSupportView } from "@/lib/support/model/support-view";

export function presentView(view: SupportView, now = Date.now()): ShownSupportView {
  return {
    partner: view.partner,
    reason: view.reason,
    startedAt: new Date(view.startedAt).toISOString(),
    expiresAt: new Date(view.expiresAt).toISOString(),
    secondsLeft: Math.max(0, Math.ceil((view.expiresAt - now) / 1_000)),
  };
}
