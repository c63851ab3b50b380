import "server-only";
import type { Viewer } from "@/lib/platform/access/viewer";
import { checkPassword } from "@/lib/platform/auth/sign-in/check-password";
import { db } from "@/lib/platform/database/open";
import { keptByBrowser } from "@/lib/platform/auth/sessions/browser-cookies";
import { env } from "@/lib/platform/env/env";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { fieldRefused, tooMany } from "@/lib/platform/http/model/refusals";

/** The origin of a request about the person's own account. */
export type AccountContext = RequestContext & {
  /** The browser's token of an earlier sign-in, as it sent it. */
  device: string | undefined;
};

/** `context` with the key under which the throttle counts this browser. */
export async function accountContext(context: RequestContext): Promise<AccountContext> {
  return { ...context, device: await keptByBrowser("device") };
}

/**
 * An open session alone is not enough to change what guards an account: somebody who took it over does not know the
 * password. Returns the hash that was checked, to find out whether it has changed since. Throws `invalid_fields` at
 * `path`, or `too_many_requests`.
 */
export async function requirePassword(
  viewer: Viewer,
  typed: { password: string; path: string },
  { requestId, clientAddress, device }: AccountContext,
): Promise<string | null> {
  const given = { email: viewer.email, password: typed.password, requestId, clientAddress, device };
  const check = await checkPassword(db(), given, {
    isDemo: env().mode === "demo",
    to: "confirm",
  });
  if (check.outcome === "throttled") throw tooMany(check.retryAfterSeconds);
  if (check.outcome !== "right" || check.userId !== viewer.id)
    throw fieldRefused(typed.path, "wrong_password");
  return check.passwordHash;
}
