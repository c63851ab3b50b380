import "server-only";
import type { Database } from "@/lib/platform/database/tables";
import { recordPerson } from "@/lib/history/server/record/record";
import type { Transaction } from "kysely";
import type { SignInContext } from "@/lib/platform/http/model/request-context";
import { parseUserAgent } from "@/lib/platform/http/model/parse-user-agent";
import { rememberDevice } from "@/lib/platform/auth/sign-in/known-device";
import type { CodeKind } from "@/lib/platform/auth/codes/one-time-codes";
import { startSession, type SignInWay } from "./sessions";

/** `device`: for the browser to keep. */
export type SignInSuccess = {
  outcome: "signed_in";
  userId: string;
  sessionId: string;
  device: string;
};

/** A person whose password or passkey was correct. */
export type Proven = {
  userId: string;
  name: string;
  /** Lower-case. */
  email: string;
  /** The generation of their credentials (known-device.ts). */
  generation: number;
  /** They had signed in in this browser before. */
  knownBrowser: boolean;
};

/** The given credentials: a password and perhaps a code, or a passkey. */
type Given = {
  by: Exclude<SignInWay, "single_sign_on">;
  code: CodeKind | null;
  recoveryCodesLeft: number | null;
};

/** Starts the session of a person who has given every required proof, together with its entry. */
export async function startSignedIn(
  trx: Transaction<Database>,
  person: Proven,
  given: Given,
  caller: SignInContext,
): Promise<SignInSuccess> {
  const { userId, knownBrowser } = person;
  const sessionId = await startSession(trx, userId, caller, { by: given.by });
  await recordPerson(trx, {
    ...entryBy(person, caller),
    kind: "signed_in",
    outcome: null,
    detail: { ...given, knownBrowser, ...parseUserAgent(caller.userAgent) },
  });
  return { outcome: "signed_in", userId, sessionId, device: rememberDevice(person) };
}

/** The common part of entries about a sign-in. */
export function entryBy(
  { userId, name }: Pick<Proven, "userId" | "name">,
  { requestId, clientAddress }: SignInContext,
) {
  return { who: { id: userId, name }, requestId, clientAddress };
}
