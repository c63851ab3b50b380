import "server-only";
import { tooMany } from "@/lib/platform/http/model/refusals";
import type { RequestOptions } from "@/lib/platform/auth/model/passkey-options";
import type { EnvironmentRef } from "@/lib/partners/server/connection";
import { requireEnvironment, requireId, type PartnerAccess } from "@/lib/platform/access/require";
import { challengeOf } from "@/lib/platform/auth/passkeys/approval";
import { passkeysOf } from "@/lib/platform/auth/passkeys/passkeys";
import type { Assertion } from "@/lib/platform/auth/model/passkey-response";
import { askForPasskey, relyingParty } from "@/lib/platform/auth/passkeys/webauthn";
import { passkeyInSession } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import type { SignedApproval } from "@/lib/history/model/entry";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { newToken } from "@/lib/platform/auth/one-time-token";
import { ProblemError } from "@/lib/platform/http/model/problem";
import { Secret } from "@/lib/platform/runtime/secret";
import { versionsSchema } from "@/lib/webhooks/server/save/save-record";
import { fingerprintOrNull } from "@/lib/webhooks/server/read/remote-state";
import { find } from "@/lib/webhooks/model/webhook-version";
import * as z from "zod";
import { openApproval, type Approval } from "./approval";

/** Stored with the challenge until it is signed. */
const subjectSchema = z.object({
  partner: z.string(),
  environment: z.string(),
  proposal: z.string(),
  origin: z.string(),
  at: z.number(),
  nonce: z.string(),
  before: versionsSchema,
  after: versionsSchema,
});

/**
 * What a passkey of the person would have to sign to approve this; null options where they have none, and prove their
 * identity in another way. Throws the problems of approving.
 */
export async function beginSigning(
  access: PartnerAccess<"webhooks.approve">,
  { environment, proposal }: { environment: string; proposal: string },
): Promise<{ options: RequestOptions | null }> {
  const { viewer, partner } = access;
  const { idHash: holder } = sessionOf(access);
  const environmentRef = {
    partnerId: partner.id,
    environment: requireEnvironment(environment).name,
  };
  const approval = await openApproval(environmentRef, requireId(proposal), viewer.id);
  const party = relyingParty();
  const known = await passkeysOf(db(), viewer.id);
  if (!party || known.length === 0) return { options: null };
  const subject = {
    partner: environmentRef.partnerId,
    environment: environmentRef.environment,
    proposal: approval.row.id,
    origin: party.origin,
    at: Date.now(),
    nonce: newToken(),
    before: approval.basis,
    after: await afterOf(approval),
  };
  const challenge = challengeOf({ ...subject, changes: changesIn(subject), approver: viewer.id });
  const about = JSON.stringify(subject);
  const context = { purpose: "approve", holder, known, challenge, about } as const;
  return { options: await askForPasskey(db(), context) };
}

/** Each type's desired version, derived from the proposal alone: on any other basis it is not approved. */
async function afterOf({ row, request, basis }: Approval) {
  const { authorization, url } = request;
  const typed = authorization.action === "replace" ? new Secret(authorization.value) : null;
  const replaced = await fingerprintOrNull(db(), row.partner_id, typed);
  return basis.map(({ type, state }) => ({
    type,
    state: {
      callbackUrl: url,
      fingerprint: authorization.action === "keep" ? (state?.fingerprint ?? null) : replaced,
    },
  }));
}

function changesIn({ before, after }: Pick<z.infer<typeof subjectSchema>, "before" | "after">) {
  return after.map(({ type, state }) => ({ type, before: find(before, type), after: state }));
}

/**
 * Takes the viewer's passkey signature for this proposal. Throws `passkey_over` where it was for another one, or
 * `passkey_refused`, which the history of the people records, or `too_many_requests`.
 */
export async function takeSignature(
  access: PartnerAccess<"webhooks.approve">,
  { partnerId, environment, proposal }: EnvironmentRef & { proposal: string },
  assertion: Assertion,
  context: RequestContext,
): Promise<SignedApproval> {
  const session = sessionOf(access);
  const asker = { name: access.viewer.name, ...context };
  const given = { assertion, purpose: "approve", asker } as const;
  const used = await passkeyInSession(db(), session, given, async (_trx, { passkey, about }) => ({
    passkey: passkey.id,
    subject: subjectSchema.parse(JSON.parse(about ?? "null")),
  }));
  if (used.outcome === "throttled") throw tooMany(used.retryAfterSeconds);
  if (used.outcome === "refused") throw new ProblemError("passkey_refused", { applied: "no" });
  if (used.outcome === "over") throw over();
  const { passkey, subject } = used.result;
  const isForThis =
    subject.partner === partnerId &&
    subject.environment === environment &&
    subject.proposal === proposal;
  if (!isForThis) throw over();
  const { clientDataJSON, authenticatorData, signature } = assertion;
  return {
    origin: subject.origin,
    at: subject.at,
    nonce: subject.nonce,
    changes: changesIn(subject),
    passkey,
    clientDataJSON,
    authenticatorData,
    signature,
  };
}

/** A program has no session, and no passkey either. */
function sessionOf({ session }: PartnerAccess) {
  if (!session) throw new ProblemError("signed_out", { applied: "no" });
  return session;
}

function over(): ProblemError {
  return new ProblemError("passkey_over", { applied: "no", retryable: true });
}
