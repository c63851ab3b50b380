import "server-only";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { safeRedirectPath } from "@/lib/platform/http/model/safe-redirect-path";

/**
 * Where to go once a view is open: the page of this partner that was asked for, else its webhooks. The wish comes from
 * an address, so it leads nowhere else.
 */
export function supportDestination(partnerId: string, wish: string | string[] | undefined): string {
  const path = typeof wish === "string" ? safeRedirectPath(wish, env().url.origin) : "/";
  const home = `/partners/${partnerId}/`;
  const isPage = path.startsWith(home) && !path.startsWith(`${home}support-view`);
  return isPage ? path : `${home}${mainEnvironment()}/webhooks`;
}
