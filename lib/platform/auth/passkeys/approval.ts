import "server-only";
import { createHash } from "node:crypto";
import { relyingPartyAt, verifyAssertion } from "./webauthn";

type State = { callbackUrl: string; fingerprint: string | null } | null;

/** The statement that an approver's passkey signs: the exact change, where, by whom, and when. */
type ApprovalStatement = {
  /** The origin of the pages on which it was approved. */
  origin: string;
  partner: string;
  environment: string;
  /** The proposal's id. */
  proposal: string;
  changes: readonly { type: string; before: State; after: State }[];
  /** The approver's id. */
  approver: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Random, so that no two approvals have the same challenge. */
  nonce: string;
};

/**
 * The challenge for a statement: a digest over every part of it, in a fixed order. So a signature of it holds for this
 * statement and for no other.
 */
export function challengeOf(statement: ApprovalStatement): Buffer {
  const { origin, partner, environment, proposal, changes, approver, at, nonce } = statement;
  const state = (of: State) => of && [of.callbackUrl, of.fingerprint];
  const canonical = JSON.stringify([
    "gancho approval 1",
    origin,
    partner,
    environment,
    proposal,
    changes.map(({ type, before, after }) => [type, state(before), state(after)]),
    approver,
    at,
    nonce,
  ]);
  return createHash("sha256").update(canonical, "utf8").digest();
}

/** The stored parts of a signature. */
type KeptSignature = {
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
};

/** Whether this key signed exactly this statement, on its pages, by a person who unlocked it. Needs no secret of ours. */
export async function isSigned(
  statement: ApprovalStatement,
  { clientDataJSON, authenticatorData, signature }: KeptSignature,
  publicKey: string,
): Promise<boolean> {
  const party = URL.canParse(statement.origin) ? relyingPartyAt(statement.origin) : null;
  if (!party) return false;
  const assertion = {
    // The public key identifies the passkey.
    id: "kept",
    clientDataJSON,
    authenticatorData,
    signature,
    userHandle: null,
  };
  const challenge = challengeOf(statement).toString("base64url");
  return (await verifyAssertion(assertion, { challenge, publicKey }, party)) !== null;
}
