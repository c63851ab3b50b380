import "server-only";
import type { SignedIn } from "@/lib/platform/access/viewer";
import { checkPassword } from "@/lib/platform/auth/sign-in/check-password";
import { db } from "@/lib/platform/database/open";
import { readCookie } from "@/lib/platform/auth/sessions/browser-cookies";
import { env } from "@/lib/platform/env/env";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { fieldRefused, tooMany, ProblemError } from "@/lib/platform/http/model/problem";
import { codesSetUpAt } from "@/lib/platform/auth/second-factors";
import { deviceOwner, knownDevice } from "@/lib/platform/auth/sign-in/known-device";
import { checkCode, type CodeKind } from "@/lib/platform/auth/codes/one-time-codes";
import { requireLive } from "@/lib/platform/auth/sessions/sessions";
import type { Database } from "@/lib/platform/database/tables";
import { recordPerson } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";
import type { BothProofs, StepUpOptions, StepUpProof } from "@/lib/account/model/account";
import { passkeysOf } from "@/lib/platform/auth/passkeys/passkeys";
import { askForPasskey, relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { neededStepUp, stepUp, stepUpWays, type Proof } from "@/lib/platform/auth/step-up";

/** The origin of a request about the person's own account. */
export type AccountContext = RequestContext & {
  /** The token that the browser kept from an earlier sign-in. */
  device: string | undefined;
};

/** `context` with the key under which the throttle counts this browser. */
export async function accountContext(context: RequestContext): Promise<AccountContext> {
  return { ...context, device: await readCookie("device") };
}

type Person = Pick<SignedIn, "viewer" | "session">;

/**
 * A session alone is not enough to change what protects an account: somebody who took it over does not know the
 * password. Returns the checked hash, to detect a change since. Throws `invalid_fields` at `path`, or
 * `too_many_requests`.
 */
export async function requirePassword(
  { viewer, session }: Person,
  typed: { password: string; path: string },
  context: AccountContext,
): Promise<string | null> {
  const given = { ...context, email: viewer.email, password: typed.password };
  const check = await checkPassword(db(), given, {
    isDemo: env().mode === "demo",
    session,
  });
  if (check.outcome === "throttled") throw tooMany(check.retryAfterSeconds);
  if (check.outcome !== "right" || check.userId !== viewer.id)
    throw fieldRefused(typed.path, "wrong_password");
  return check.passwordHash;
}

/**
 * Runs `change` after checking the password and a code (or recovery code), as sign-in does: the change could replace
 * either. Consumes the code with it. Throws `invalid_fields`, `too_many_requests`, or `changed_meanwhile` where no
 * codes are set up.
 */
export async function withBothProofs<Result>(
  { viewer, session }: Person,
  { password, code }: BothProofs,
  context: AccountContext,
  inOne: (trx: Transaction<Database>, by: CodeKind) => Promise<Result>,
): Promise<Result> {
  if ((await codesSetUpAt(db(), viewer.id)) === null)
    throw new ProblemError("changed_meanwhile", { applied: "no" });
  await requirePassword({ viewer, session }, { password, path: "password" }, context);
  return withCode({ viewer, session }, code, context, inOne);
}

/**
 * Runs a change that requires a code (or recovery code) of a person who has codes set up and gave the other proofs.
 * Consumes the code with it. Throws `invalid_fields` or `too_many_requests`.
 */
export async function withCode<Result>(
  { viewer, session }: Person,
  code: string,
  context: AccountContext,
  inOne: (trx: Transaction<Database>, by: CodeKind) => Promise<Result>,
): Promise<Result> {
  const userId = viewer.id;
  const device = knownDevice(context.device, await deviceOwner(db(), userId));
  const checked = await checkCode(db(), { userId, code, device }, async (trx, by) => {
    await requireLive(trx, session);
    return inOne(trx, by);
  });
  if (checked.outcome === "throttled") throw tooMany(checked.retryAfterSeconds);
  if (checked.outcome === "right") return checked.result;
  const { blockedSeconds } = checked;
  const { requestId, clientAddress } = context;
  await db()
    .transaction()
    .execute((trx) =>
      recordPerson(trx, {
        who: viewer,
        kind: "confirmation_refused",
        requestId,
        clientAddress,
        outcome: "wrong_code",
        detail: { blockedSeconds },
      }),
    );
  throw fieldRefused("code", "wrong_code");
}

/** Whether and how the person can prove their identity, and the challenge for a passkey. */
export async function beginStepUp({ viewer, session }: SignedIn): Promise<StepUpOptions> {
  const needed = await neededStepUp(session);
  const ways = await stepUpWays(db(), viewer.id);
  const { password } = ways;
  const provider = ways.provider ? (env().oidc?.name ?? null) : null;
  if (!ways.passkey || !relyingParty()) return { needed, password, provider, passkey: null };
  const known = await passkeysOf(db(), viewer.id);
  const asking = { purpose: "step_up", boundTo: session.idHash, known } as const;
  return { needed, password, provider, passkey: await askForPasskey(db(), asking) };
}

/**
 * Accepts a proof of identity for five minutes in this session. Throws `no_password`, `invalid_fields` for a wrong
 * password, `passkey_refused`, `passkey_over` or `too_many_requests`.
 */
export async function confirmStepUp(
  { viewer, session }: SignedIn,
  proof: StepUpProof,
  context: AccountContext,
): Promise<void> {
  const { requestId, clientAddress } = context;
  const given: Proof =
    "password" in proof
      ? {
          by: "password",
          given: { ...context, email: viewer.email, password: proof.password },
        }
      : {
          by: "passkey",
          assertion: proof.passkey,
          asker: { requestId, clientAddress },
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
    default:
      throw given.by === "password"
        ? fieldRefused("password", "wrong_password")
        : new ProblemError("passkey_refused", { applied: "no" });
  }
}
