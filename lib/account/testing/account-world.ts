import { update } from "@/lib/platform/database/testing/rows";
import type { StaffRole } from "@/lib/platform/access/model/roles";
import { hashOfProgram } from "@/lib/platform/auth/sign-in/sign-in-throttle";
import { hashPassword } from "@/lib/platform/auth/passwords/password-hash";
import { sessionHash } from "@/lib/platform/auth/sessions/session-hash";
import { startSession, type SignInWay } from "@/lib/platform/auth/sessions/sessions";
import { softwareAuthenticator } from "@/lib/platform/auth/testing/software-authenticator";
import { db } from "@/lib/platform/database/open";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import type { AccountContext } from "@/lib/account/server/step-up";
import { addPasskey, beginPasskey, beginStepUp, confirmStepUp } from "./with-access";

export const password = "velho moinho azul";
export const origin: AccountContext = { requestId: "q1", clientAddress: null, device: undefined };

/** Hashing is slow on purpose; all people of a run share one. */
let passwordHash: Promise<string> | undefined;

export type TestPerson = { id: string; email: string };

export async function newPerson(
  options: { staffRole?: StaffRole; passwordSet?: boolean } = {},
): Promise<TestPerson> {
  passwordHash ??= hashPassword(password, hashOfProgram);
  const id = await insertUser(db(), {
    name: "Rui Prado",
    password_hash: options.passwordSet === false ? null : await passwordHash,
    staff_role: options.staffRole ?? null,
  });
  return { id, email: `${id}@test.example` };
}

/**
 * Starts a session and uses it from then on; returns the session's id. `signedInAt`: by default too long ago to stand
 * for a step-up.
 */
export async function signInHere(
  { id }: Pick<TestPerson, "id">,
  by: SignInWay = "password",
  signedInAt = 0,
): Promise<string> {
  const session = await openSession(id, by);
  signInAs(id, sessionHash(session), by, signedInAt);
  return session;
}

/** The same, in which the person has just confirmed their identity with the password. */
async function signInSteppedUp(userId: string): Promise<void> {
  await signInHere({ id: userId });
  await update("sessions", { reauthenticated_at: Date.now() }, { user_id: userId });
}

/** A session in another browser. */
export async function openSession(userId: string, by: SignInWay = "password"): Promise<string> {
  const from = { clientAddress: "192.0.2.9", userAgent: "Firefox/144.0 (X11; Linux)" };
  return startSession(db(), userId, from, { by });
}

/** The outcome: `done`, a problem's code, or for refused fields `path: code`. */
export async function outcomeOf(promise: Promise<unknown>): Promise<string> {
  const thrown: unknown = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown === null) return "done";
  if (!(thrown instanceof ProblemError)) throw thrown;
  const [field] = thrown.init.errors ?? [];
  return field ? `${field.path}: ${field.code}` : thrown.code;
}

/**
 * Gives a person a passkey, and signs them in anew, with the password confirmed. Returns how they confirm with the
 * passkey in that session.
 */
export async function givePasskey(userId: string): Promise<() => Promise<void>> {
  await signInSteppedUp(userId);
  const authenticator = softwareAuthenticator();
  const { options } = await beginPasskey({}, origin);
  await addPasskey({ name: "Key", attestation: authenticator.make(options) }, origin);
  await signInSteppedUp(userId);
  return async () => {
    const { passkey } = await beginStepUp();
    if (!passkey) throw new Error("no passkey to confirm with");
    await confirmStepUp({ passkey: authenticator.use(passkey) }, origin);
  };
}
