import "server-only";
import { env } from "@/lib/env";
import type { Origin } from "@/lib/history/origin";
import { cookieName } from "@/lib/session-cookie";
import { cookies } from "next/headers";

/** Where a request about one's own account came from. */
export type AccountOrigin = Origin & {
  /** What the browser kept of an earlier sign-in, as it sent it. */
  device: string | undefined;
};

/** `origin` with what the throttle of passwords counts this browser by. */
export async function accountOrigin(origin: Origin): Promise<AccountOrigin> {
  const secure = env().url.protocol === "https:";
  return { ...origin, device: (await cookies()).get(cookieName("device", secure))?.value };
}
