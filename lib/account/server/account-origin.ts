import "server-only";
import { keptByBrowser } from "@/lib/platform/auth/sessions/browser-cookies";
import type { Origin } from "@/lib/history/server/record/origin";

/** Where a request about one's own account came from. */
export type AccountOrigin = Origin & {
  /** What the browser kept of an earlier sign-in, as it sent it. */
  device: string | undefined;
};

/** `origin` with what the throttle counts this browser by. */
export async function accountOrigin(origin: Origin): Promise<AccountOrigin> {
  return { ...origin, device: await keptByBrowser("device") };
}
