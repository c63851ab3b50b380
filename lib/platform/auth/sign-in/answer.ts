import "server-only";
import type { PasskeySignInResult } from "@/lib/platform/auth/passkeys/sign-in";
import {
  forget,
  keep,
  keepSession,
  keptByBrowser,
} from "@/lib/platform/auth/sessions/browser-cookies";
import { presentContext, replacePresentSession } from "@/lib/platform/auth/sessions/sign-out";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { tooMany } from "@/lib/platform/http/model/refusals";
import type { CodeResult } from "./complete-sign-in";
import type { SignInResult } from "./sign-in";

type Result = SignInResult | CodeResult | PasskeySignInResult;

/**
 * Answers one step of signing in, by password, code or passkey: `{"outcome": "signed_in"}` with the cookie of the
 * session, or `"code_required"`. Throws `sign_in_refused`, `sign_in_over` or `too_many_requests`.
 */
export async function answerSignIn(
  requestId: string,
  attempt: (browser: SignInContext & { device: string | undefined }) => Promise<Result>,
): Promise<Response> {
  const context = await presentContext(requestId);
  const result = await attempt({ ...context, device: await keptByBrowser("device") });
  switch (result.outcome) {
    case "signed_in": {
      await replacePresentSession(context);
      const answer = Response.json({ outcome: "signed_in" });
      await keepSession(answer, result.sessionId);
      keep(answer, "device", result.device);
      forget(answer, "code");
      forget(answer, "passkey");
      return answer;
    }
    case "code_required": {
      const answer = Response.json({ outcome: "code_required" });
      keep(answer, "code", result.pendingId);
      return answer;
    }
    case "throttled":
      throw tooMany(result.retryAfterSeconds);
    case "over":
      throw new ProblemError("sign_in_over", { applied: "no" });
    case "refused":
      throw new ProblemError("sign_in_refused", { applied: "no" });
  }
}
