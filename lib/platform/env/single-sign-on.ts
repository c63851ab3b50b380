import { Secret } from "@/lib/platform/runtime/secret";
import { isLoopback } from "./is-loopback";
import type { Source } from "./mode";

export type SingleSignOnSettings = {
  /** Exactly as the provider calls itself. */
  issuer: string;
  clientId: string;
  clientSecret: Secret;
  /** The provider's name on the button. */
  name: string;
  /** How a claim makes people staff; null: it does not, and staff roles stay as they were given here. */
  staff: StaffClaim | null;
  /** How a claim makes people members of partners; null: invitations do. */
  partners: PartnerClaim | null;
  /** Nobody signs in otherwise: no passwords, one-time codes or invitations. */
  isOnlyWay: boolean;
};

/** A claim (a text, or a list of texts) and the values in it that make a person support or operator. */
export type StaffClaim = { name: string; support: string; operator: string };

/** A claim (a text, or a list of texts), and what stands around a partner's id and a role in each of its values. */
export type PartnerClaim = { name: string; before: string; between: string; after: string };

type Values = {
  OIDC_ISSUER?: string | undefined;
  OIDC_CLIENT_ID?: string | undefined;
  OIDC_CLIENT_SECRET?: string | undefined;
  OIDC_NAME?: string | undefined;
  OIDC_STAFF_CLAIM?: StaffClaim | undefined;
  OIDC_PARTNER_CLAIM?: PartnerClaim | undefined;
  SIGN_IN?: "provider" | undefined;
};

const needed = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const;
const all = [...needed, "OIDC_STAFF_CLAIM", "OIDC_PARTNER_CLAIM", "OIDC_NAME"] as const;

/** Single sign-on is configured completely or not at all. */
export function singleSignOnProblems(set: Source): string[] {
  const isSet = (name: string) => set[name] !== undefined;
  return [
    ...(all.some(isSet) ? missing(set) : []),
    ...issuerProblems(set),
    ...(set["SIGN_IN"] === "provider" ? onlyWayProblems(set) : []),
  ];
}

/** Without a claim nobody could join a partner; a second factor is the provider's to ask. */
function onlyWayProblems(set: Source): string[] {
  const needed = ["OIDC_ISSUER", "OIDC_PARTNER_CLAIM"].filter((name) => set[name] === undefined);
  return [
    ...needed.map((name) => `${name} is missing: SIGN_IN=provider needs it; set both or none`),
    ...(set["REQUIRE_SECOND_FACTOR"] === undefined
      ? []
      : [
          "REQUIRE_SECOND_FACTOR does nothing with SIGN_IN=provider: leave it out, and have the provider ask for a second factor",
        ]),
  ];
}

function missing(set: Source): string[] {
  return needed
    .filter((name) => set[name] === undefined)
    .map(
      (name) => `${name} is missing: single sign-on needs ${needed.join(", ")}; set all or none`,
    );
}

export function singleSignOn(values: Values): SingleSignOnSettings | null {
  const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = values;
  if (!OIDC_ISSUER || !OIDC_CLIENT_ID || !OIDC_CLIENT_SECRET) return null;
  return {
    issuer: OIDC_ISSUER,
    clientId: OIDC_CLIENT_ID,
    clientSecret: new Secret(OIDC_CLIENT_SECRET),
    name: values.OIDC_NAME ?? "OpenID Connect",
    staff: values.OIDC_STAFF_CLAIM ?? null,
    partners: values.OIDC_PARTNER_CLAIM ?? null,
    isOnlyWay: values.SIGN_IN === "provider",
  };
}

/**
 * A provider on this machine, without TLS, is for trials: it decides who gets in, so a dashboard that others reach must
 * not believe whatever listens on a local port.
 */
function issuerProblems({ OIDC_ISSUER = "", GANCHO_URL = "" }: Source): string[] {
  const isPlain = OIDC_ISSUER.startsWith("http:") && isLocal(OIDC_ISSUER);
  return isPlain && GANCHO_URL !== "" && !isLocal(GANCHO_URL)
    ? [
        "OIDC_ISSUER is not encrypted: use https:// (http:// is only for a GANCHO_URL on this machine)",
      ]
    : [];
}

function isLocal(address: string): boolean {
  return URL.canParse(address) && isLoopback(new URL(address));
}
