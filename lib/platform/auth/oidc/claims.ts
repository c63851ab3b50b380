import "server-only";
import type { StaffClaim } from "@/lib/platform/env/env";
import { nameFault } from "@/lib/platform/http/model/request-fields";
import * as z from "zod";

/** A person's identity, according to their provider (OpenID Connect Core 1.0, section 5.1). */
export type Identity = {
  issuer: string;
  subject: string;
  /** Lower-case; null where the provider does not vouch for one. */
  verifiedEmail: string | null;
  /** Their name; null where the provider does not send it. */
  name: string | null;
};

export type ClaimedRole = "support" | "operator";

const subject = z.string().min(1).max(255);

/**
 * Printable ASCII only: lower-casing maps other characters onto ASCII letters (the Kelvin sign onto k), and a verified
 * address of one person would become that of another.
 */
const email = z
  .string()
  .max(320)
  .regex(/^[\x21-\x7e]+$/);

const verified = z.object({ email, email_verified: z.literal(true) });

/** One line, as other names here: mails and the history contain it. */
const named = z.object({
  name: z
    .string()
    .trim()
    .min(1)
    .max(100)
    .regex(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u)
    .refine((name) => nameFault(name) === null),
});

/** null for claims without a usable `sub`. */
export function identityIn(issuer: string, claims: unknown): Identity | null {
  const who = z.object({ sub: subject }).safeParse(claims);
  if (!who.success) return null;
  const vouched = verified.safeParse(claims);
  return {
    issuer,
    subject: who.data.sub,
    verifiedEmail: vouched.success ? vouched.data.email.toLowerCase() : null,
    name: named.safeParse(claims).data?.name ?? null,
  };
}

/** The role that the claim gives; operator where it names both, null where it names neither. */
export function staffRoleIn(
  claims: Record<string, unknown>,
  claim: StaffClaim,
): ClaimedRole | null {
  const value = Object.hasOwn(claims, claim.name) ? claims[claim.name] : undefined;
  const values: unknown[] = Array.isArray(value) ? value : [value];
  if (values.includes(claim.operator)) return "operator";
  return values.includes(claim.support) ? "support" : null;
}

/** Whether the ID token lacks a required claim, so that the userinfo endpoint has to be called. */
export function leavesOut(claims: Record<string, unknown>, staff: StaffClaim | null): boolean {
  const wanted = ["email", "email_verified", ...(staff ? [staff.name] : [])];
  return wanted.some((name) => !Object.hasOwn(claims, name));
}

/**
 * The claims of the userinfo endpoint that complete the ID token. The address and whether it is verified come from the
 * same of the two, so that one does not vouch for the other's address.
 */
export function completed<Claims extends Record<string, unknown>>(
  idToken: Claims,
  userinfo: Record<string, unknown>,
): Claims {
  const { email, email_verified } = leavesOut(idToken, null) ? userinfo : idToken;
  return { ...userinfo, ...idToken, email, email_verified };
}
