import { codeAt, stepAt, fromBase32 } from "@/lib/platform/auth/codes/totp";

/** What an authenticator app with this secret shows, so many half-minutes from now. */
export function authenticatorApp(secret: string): (steps?: number) => string {
  const bytes = fromBase32(secret.replace(/\s/g, ""));
  return (steps = 0) => codeAt(bytes, stepAt(Date.now()) + steps);
}
