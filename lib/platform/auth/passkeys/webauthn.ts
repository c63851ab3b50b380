import "server-only";
import type { RequestOptions } from "@/lib/platform/auth/model/passkey-options";
import type { Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import { ProblemError } from "@/lib/platform/http/model/problem";
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from "@simplewebauthn/server";
import { randomBytes } from "node:crypto";
import { isIP } from "node:net";
import type { Assertion, Attestation } from "@/lib/platform/auth/model/passkey-response";
import { databaseTime } from "@/lib/platform/runtime/database-time";

/** EdDSA, ES256 and RS256; every authenticator has one of them. */
const algorithms = [-8, -7, -257];

/** Longer than any key of these algorithms; bytes. */
const maxKeyLength = 1_100;

/** For how long a challenge can be signed, milliseconds. */
export const challengeLifeMs = 5 * 60_000;

type RelyingParty = { id: string; origin: string };

/** The relying party of passkeys. null where GANCHO_URL is an IP address: browsers make none for those. */
export function relyingParty(): RelyingParty | null {
  return relyingPartyAt(env().url.origin);
}

export function relyingPartyAt(origin: string): RelyingParty | null {
  const { hostname } = new URL(origin);
  return isIP(hostname.replace(/^\[|\]$/g, "")) === 0 ? { id: hostname, origin } : null;
}

/** Throws `passkeys_unavailable`. */
function requireRelyingParty(): RelyingParty {
  const party = relyingParty();
  if (!party) throw new ProblemError("passkeys_unavailable", { applied: "no" });
  return party;
}

type ChallengeFor = {
  purpose: Database["passkey_challenges"]["purpose"];
  /** A secret that only this browser has, or a name derived from it: the challenge is valid for this browser alone. */
  boundTo: string;
};

/** Records a challenge, and when it expires. */
async function startChallenge(
  db: Executor,
  { purpose, boundTo }: ChallengeFor,
  now: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(32);
  await db.deleteFrom("passkey_challenges").where("expires_at", "<=", now).execute();
  await db
    .insertInto("passkey_challenges")
    .values({
      challenge_hash: hashOf(challenge.toString("base64url")),
      bound_to_hash: hashOf(boundTo),
      purpose,
      expires_at: now + challengeLifeMs,
    })
    .execute();
  return new Uint8Array(challenge);
}

/**
 * Consumes the challenge that was signed, so that it counts once. null where it was not given to this browser for this
 * purpose, was used, or is over.
 */
export async function takeChallenge(
  db: Executor,
  { purpose, boundTo }: ChallengeFor,
  clientDataJSON: string,
  now: number,
): Promise<string | null> {
  const challenge = challengeIn(clientDataJSON);
  if (challenge === null) return null;
  const taken = await db
    .deleteFrom("passkey_challenges")
    .where("challenge_hash", "=", hashOf(challenge))
    .where("bound_to_hash", "=", hashOf(boundTo))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return taken.numDeletedRows === 1n ? challenge : null;
}

/** The challenge that the browser claims was signed. It only finds the row; the signature proves it. */
function challengeIn(clientDataJSON: string): string | null {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, "base64url").toString("utf8"));
    const challenge: unknown =
      typeof data === "object" && data !== null ? Reflect.get(data, "challenge") : null;
    return typeof challenge === "string" ? challenge : null;
  } catch {
    return null;
  }
}

type Known = { credentialId: string; transports: readonly string[] };

/**
 * The browser's options for signing in. Without `known`, any passkey that the person chooses may sign. Throws
 * `passkeys_unavailable`.
 */
export async function askForPasskey(
  db: Executor,
  asking: ChallengeFor & { known: readonly Known[] | null },
  now = databaseTime(),
): Promise<RequestOptions> {
  const party = requireRelyingParty();
  return generateAuthenticationOptions({
    rpID: party.id,
    challenge: await startChallenge(db, asking, now),
    userVerification: "required",
    timeout: challengeLifeMs,
    ...(asking.known && { allowCredentials: asking.known.map(descriptor) }),
  });
}

/** The browser's options for making a passkey. Throws `passkeys_unavailable`. */
export async function askForNewPasskey(
  db: Executor,
  asking: ChallengeFor & { known: readonly Known[] },
  person: { id: string; name: string; email: string },
  now = databaseTime(),
) {
  const party = requireRelyingParty();
  return generateRegistrationOptions({
    rpName: env().brand.name,
    rpID: party.id,
    userID: new Uint8Array(Buffer.from(person.id)),
    userName: person.email,
    userDisplayName: person.name,
    challenge: await startChallenge(db, asking, now),
    timeout: challengeLifeMs,
    // No attestation: it would make people distinguishable.
    attestationType: "none",
    excludeCredentials: asking.known.map(descriptor),
    // Discoverable without typing a name, and only by a person who unlocks it.
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    supportedAlgorithmIDs: algorithms,
  });
}

function descriptor({ credentialId, transports }: Known) {
  return { id: credentialId, transports: [...transports] };
}

/**
 * The new passkey, or null where the answer is not one to this challenge, from these pages, by a person who unlocked
 * it.
 */
export async function verifyAttestation(
  { id, transports, ...response }: Attestation,
  challenge: string,
): Promise<{ credentialId: string; publicKey: string; counter: number } | null> {
  const party = requireRelyingParty();
  const verified = await orNull(
    verifyRegistrationResponse({
      response: { ...envelope(id), response: { ...response, transports: [...transports] } },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }),
  );
  if (!verified?.verified) return null;
  const { credential } = verified.registrationInfo;
  return credential.publicKey.length > maxKeyLength
    ? null
    : {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString("base64url"),
        counter: credential.counter,
      };
}

/**
 * The counter that came with a valid signature; null for an invalid one: by another key, over something else, for
 * another site, or with a locked passkey. The caller checks whether the counter advances.
 */
export async function verifyAssertion(
  { id, userHandle, ...response }: Assertion,
  { challenge, publicKey }: { challenge: string; publicKey: string },
  party: RelyingParty,
): Promise<{ counter: number } | null> {
  const verified = await orNull(
    verifyAuthenticationResponse({
      response: {
        ...envelope(id),
        response: { ...response, ...(userHandle !== null && { userHandle }) },
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      // The library would report a counter that goes back as an ordinary error, before it checks the signature.
      credential: {
        id,
        publicKey: new Uint8Array(Buffer.from(publicKey, "base64url")),
        counter: 0,
      },
    }),
  );
  return verified?.verified ? { counter: verified.authenticationInfo.newCounter } : null;
}

function envelope(id: string) {
  return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
}

/** The library throws for anything that is wrong; all of it came from the caller. */
async function orNull<Result>(verifying: Promise<Result>): Promise<Result | null> {
  try {
    return await verifying;
  } catch {
    return null;
  }
}
