import "server-only";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import type { PartnerClaim, SingleSignOnSettings, StaffClaim } from "@/lib/platform/env/env";
import { idPattern } from "@/lib/platform/http/model/id-pattern";
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

/** Names one of the provider's sessions, without saying which it is. */
export function providerSessionOf(issuer: string, sid: string): string {
  return hashOf(JSON.stringify([issuer, sid]));
}

/** The role that the claim gives; operator where it names both, null where it names neither. */
export function staffRoleIn(
  claims: Record<string, unknown>,
  claim: StaffClaim,
): ClaimedRole | null {
  const values = valuesOf(claims, claim.name);
  if (values.includes(claim.operator)) return "operator";
  return values.includes(claim.support) ? "support" : null;
}

/** The lowest first. */
const partnerRoles = ["viewer", "editor", "admin"] as const;
export type PartnerRole = (typeof partnerRoles)[number];

/** Roles by the partner's id. */
export type ClaimedPartners = ReadonlyMap<string, PartnerRole>;

/** More than a person has, and few enough for one sign-in. operate.md says it. */
const mostPartners = 200;

/**
 * The partners that the claim names, each with the highest role that it names there. Part of a list would end memberships
 * that the claim names: this throws where there are too many, and where a provider says that it left a long list out.
 */
export function partnersIn(
  claims: Record<string, unknown>,
  { name, before, between, after }: PartnerClaim,
): ClaimedPartners {
  const elsewhere = claims["_claim_names"];
  if (typeof elsewhere === "object" && elsewhere !== null && Object.hasOwn(elsewhere, name))
    throw new Error(`the provider left ${name} out, because it is too long: have it send fewer`);
  const roles = new Map<string, PartnerRole>();
  for (const value of valuesOf(claims, name)) {
    if (typeof value !== "string" || !value.startsWith(before) || !value.endsWith(after)) continue;
    const named = value.slice(before.length, value.length - after.length);
    const at = named.lastIndexOf(between);
    const partner = named.slice(0, Math.max(0, at));
    const role = partnerRoles.find((one) => one === named.slice(at + between.length));
    const known = roles.get(partner);
    if (role === undefined || !idPattern.test(partner)) continue;
    if (known === undefined && roles.size === mostPartners)
      throw new Error(`${name} names more than ${mostPartners} partners: have it name fewer`);
    if (known === undefined || partnerRoles.indexOf(role) > partnerRoles.indexOf(known))
      roles.set(partner, role);
  }
  return roles;
}

function valuesOf(claims: Record<string, unknown>, name: string): unknown[] {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return Array.isArray(value) ? value : [value];
}

/** Whether the ID token lacks a required claim, so that the userinfo endpoint has to be called. */
export function leavesOut(
  claims: Record<string, unknown>,
  { staff, partners }: Pick<SingleSignOnSettings, "staff" | "partners">,
): boolean {
  const deciding = [staff, partners].flatMap((claim) => (claim ? [claim.name] : []));
  const wanted = ["email", "email_verified", ...deciding];
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
  const { email, email_verified } = leavesOut(idToken, { staff: null, partners: null })
    ? userinfo
    : idToken;
  return { ...userinfo, ...idToken, email, email_verified };
}
