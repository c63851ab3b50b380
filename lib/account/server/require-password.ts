import "server-only";
import type { Viewer } from "@/lib/platform/access/viewer";
import { checkPassword } from "@/lib/platform/auth/sign-in/check-password";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { AccountOrigin } from "./account-origin";
import { fieldRefused, tooMany } from "./refusals";

/**
 * An open session alone is not enough to change what guards an account: whoever took it over does not know the password.
 * Throws `invalid_fields` at `path`, or `too_many_requests`.
 */
export async function requirePassword(
  viewer: Viewer,
  typed: { password: string; path: string },
  { requestId, clientAddress, device }: AccountOrigin,
): Promise<void> {
  const given = { email: viewer.email, password: typed.password, requestId, clientAddress, device };
  const check = await checkPassword(db(), given, {
    isDemo: env().mode === "demo",
    to: "confirm",
  });
  if (check.outcome === "throttled") throw tooMany(check.retryAfterSeconds);
  if (check.outcome !== "right" || check.userId !== viewer.id)
    throw fieldRefused(typed.path, "wrong_password");
}
