import "server-only";
import type { SignedIn } from "@/lib/platform/access/viewer";
import { passkeysOf } from "@/lib/platform/auth/passkeys/passkeys";
import { askForPasskey, relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { stepUp, stepUpWays, type Proof } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { StepUpOptions, StepUpProof } from "@/lib/account/model/account";
import type { AccountContext } from "./require-password";
import { fieldRefused, tooMany } from "@/lib/platform/http/model/refusals";

/** How the person can prove their identity, and what a passkey would have to sign. */
export async function beginStepUp({ viewer, session }: SignedIn): Promise<StepUpOptions> {
  const { password, passkey } = await stepUpWays(db(), viewer.id);
  if (!passkey || !relyingParty()) return { password, passkey: null };
  const known = await passkeysOf(db(), viewer.id);
  const asking = { purpose: "step_up", holder: session.idHash, known } as const;
  return { password, passkey: await askForPasskey(db(), asking) };
}

/**
 * Takes the proof; it counts for five minutes in this session. Throws `no_password`, `invalid_fields` for a
 * wrong password, `passkey_refused`, `passkey_over` or `too_many_requests`.
 */
export async function confirmStepUp(
  { viewer, session }: SignedIn,
  proof: StepUpProof,
  context: AccountContext,
): Promise<void> {
  const { requestId, clientAddress, device } = context;
  const given: Proof =
    "password" in proof
      ? {
          by: "password",
          given: {
            email: viewer.email,
            password: proof.password,
            requestId,
            clientAddress,
            device,
          },
        }
      : {
          by: "passkey",
          assertion: proof.passkey,
          asker: { name: viewer.name, requestId, clientAddress },
        };
  const result = await stepUp(db(), session, given, { isDemo: env().mode === "demo" });
  switch (result.outcome) {
    case "given":
      return;
    case "throttled":
      throw tooMany(result.retryAfterSeconds);
    case "no_password":
      throw new ProblemError("no_password", { applied: "no" });
    case "over":
      throw new ProblemError("passkey_over", { applied: "no", retryable: true });
    case "wrong":
      throw given.by === "password"
        ? fieldRefused("password", "wrong_password")
        : new ProblemError("passkey_refused", { applied: "no" });
  }
}
