import { root } from "@/lib/cli/root";
import { randomUUID } from "node:crypto";
import path from "node:path";
import { demoPeople, type DemoPerson } from "./data";

/**
 * What is different in `npm run demo -- --brand`: an invented payment service's name, and its identity provider, which
 * alone decides who people are and what they may do.
 */
export function newBrand() {
  const dashboard = Number(process.env["PORT"]?.trim() || "3000");
  // The same at each start: the provider is known by its address.
  const port = dashboard + (dashboard < 64_000 ? 1040 : -1040);
  const clientSecret = randomUUID();
  const name = "Atlas ID";
  return {
    /** Where the provider listens. */
    port,
    /** Of its own, since its people have no passwords. */
    dataDir: ".data/brand",
    settings: {
      BRAND_NAME: "Atlas Pix",
      BRAND_ACCENT: "#6b21a8",
      BRAND_DIR: path.join(root, "e2e/fixtures/brands/atlas"),
      BRAND_LINKS: "support=mailto:pix@atlas.example",
      SECURITY_CONTACT: "mailto:security@atlas.example",
      MAIL_FROM: "pix@atlas.example",
      SIGN_IN: "provider",
      OIDC_ISSUER: `http://127.0.0.1:${port}`,
      OIDC_CLIENT_ID: "gancho",
      OIDC_CLIENT_SECRET: clientSecret,
      OIDC_NAME: name,
      OIDC_STAFF_CLAIM: "groups=pix-support,pix-operators",
      OIDC_PARTNER_CLAIM: "groups=pix-{partner}-{role}",
    },
    startProvider: async (origin: string) => {
      // Its library tells the console what is missing for production.
      Object.assign(console, { info: () => undefined, warn: () => undefined });
      const { startOpenIdProvider } = await import("@/lib/platform/auth/testing/openid-provider");
      const people = demoPeople.map(claimsOf);
      const redirectUri = `${origin}/api/auth/callback/oidc`;
      await startOpenIdProvider(redirectUri, { port, clientSecret, name, people });
    },
    howToSignIn: (origin: string) =>
      `Sign in at ${name}, which has a button for each person; their groups decide what they may do. Type other claims there to
try others. The payment service's own portal would link to

  ${origin}/sign-in?partner=aurora&environment=production`,
  };
}

export type Brand = ReturnType<typeof newBrand>;

/** What the provider says of one of the demo's people. */
function claimsOf(person: DemoPerson) {
  const email = person.email.replace("@gancho.example", "@atlas.example");
  const group =
    "partner" in person
      ? `pix-${person.partner}-${person.role}`
      : { support: "pix-support", operator: "pix-operators" }[person.staffRole];
  return { sub: email, email, email_verified: true, name: person.name, groups: [group] };
}
