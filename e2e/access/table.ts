/** The callers, in the order of the columns below. */
export const identities = [
  "signed out",
  "viewer",
  "editor",
  "admin",
  "another partner's admin",
  "support without a view",
  "support with a view",
  "operator",
] as const;
export type Identity = (typeof identities)[number];

/**
 * What comes of asking.
 *   yes: it is shown, or the request got as far as its body
 *   out: sign in first
 *   no: not for this role
 *   why: say first what for
 *   gone: as if there were nothing
 *   on: sent on to another page
 */
export type Outcome = "yes" | "out" | "no" | "why" | "gone" | "on";

type Row = readonly [Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome, Outcome];

const everybody: Row = ["yes", "yes", "yes", "yes", "yes", "yes", "yes", "yes"];
const nobody: Row = ["gone", "gone", "gone", "gone", "gone", "gone", "gone", "gone"];
const signedIn: Row = ["out", "yes", "yes", "yes", "yes", "yes", "yes", "yes"];

/** Within one partner. */
export const viewing: Row = ["out", "yes", "yes", "yes", "gone", "why", "yes", "gone"];
const members: Row = ["out", "yes", "yes", "yes", "gone", "no", "no", "gone"];
const writing: Row = ["out", "no", "yes", "yes", "gone", "no", "no", "gone"];
const checking: Row = ["out", "no", "yes", "yes", "gone", "why", "yes", "gone"];
const adminViewing: Row = ["out", "no", "no", "yes", "gone", "why", "yes", "gone"];
const adminOnly: Row = ["out", "no", "no", "yes", "gone", "no", "no", "gone"];

/** By staff, about one partner. */
const supporting: Row = ["out", "no", "no", "no", "gone", "yes", "yes", "no"];
const managing: Row = ["out", "no", "no", "no", "gone", "no", "no", "yes"];

/** By staff, about the installation. */
const operating: Row = ["out", "gone", "gone", "gone", "gone", "no", "no", "yes"];

/** By all staff, about an environment. */
const staffViewing: Row = ["out", "gone", "gone", "gone", "gone", "yes", "yes", "yes"];

/** Every route of the dashboard's HTTP interface; methods that are not listed answer 405 to everybody. */
export const routeTable: Record<string, Partial<Record<string, Row>>> = {
  "/.well-known/security.txt": { GET: everybody },
  "/brand/[image]": { GET: nobody },
  "/words/[file]": { GET: nobody },
  "/manifest.webmanifest": { GET: everybody },
  "/in/[token]": { GET: nobody, POST: nobody, PUT: nobody, PATCH: nobody, DELETE: nobody },
  "/api/health/live": { GET: everybody },
  "/api/health/ready": { GET: everybody },
  "/api/alert-addresses/confirm": { POST: everybody },
  "/api/invitations/accept": { POST: everybody },
  "/api/invitations/look": { POST: everybody },
  "/api/password-links": { POST: everybody },
  "/api/password-links/look": { POST: everybody },
  "/api/password-links/use": { POST: everybody },
  "/api/auth/signin/oidc": { POST: everybody },
  "/api/auth/signout": { POST: everybody },
  "/api/sign-in/code": { POST: everybody },
  "/api/sign-in/passkey": { POST: everybody, PUT: everybody },
  "/api/sign-in/password": { POST: everybody },

  "/api/partners": { GET: signedIn, POST: operating },
  "/api/partners/[partner]": { PATCH: managing },
  "/api/partners/[partner]/first-admin": { POST: managing },
  "/api/partners/[partner]/support-view": { POST: supporting, DELETE: supporting },
  "/api/partners/[partner]/history": { GET: viewing },
  "/api/partners/[partner]/attention": { GET: viewing },
  "/api/partners/[partner]/four-eyes": { PATCH: adminOnly },
  "/api/partners/[partner]/membership": { DELETE: members },
  "/api/partners/[partner]/members": { GET: adminOnly, POST: adminOnly },
  "/api/partners/[partner]/members/[member]": { PATCH: adminOnly, DELETE: adminOnly },
  "/api/partners/[partner]/members/invitations/[invitation]": { DELETE: adminOnly },
  "/api/partners/[partner]/alert-addresses": { POST: adminOnly },
  "/api/partners/[partner]/alert-addresses/[address]": { DELETE: adminOnly },
  "/api/partners/[partner]/[environment]/webhooks": { GET: viewing, POST: writing },
  "/api/partners/[partner]/[environment]/webhooks/source": { GET: writing },
  "/api/partners/[partner]/[environment]/webhooks/[type]/reveal": { POST: adminOnly },
  "/api/partners/[partner]/[environment]/operations/[operation]": { GET: viewing },
  "/api/partners/[partner]/[environment]/operations/[operation]/step": { GET: viewing },
  "/api/partners/[partner]/[environment]/proposals": { GET: members },
  "/api/partners/[partner]/[environment]/proposals/[proposal]": { POST: writing, PATCH: members },
  "/api/partners/[partner]/[environment]/diagnosis": { GET: viewing },
  "/api/partners/[partner]/[environment]/outside": { POST: writing },
  "/api/partners/[partner]/[environment]/incident": { POST: writing },
  "/api/partners/[partner]/[environment]/connection": { GET: adminViewing, PUT: adminOnly },
  "/api/partners/[partner]/[environment]/connection/check": { POST: adminOnly },
  "/api/partners/[partner]/[environment]/endpoint-checks": { GET: viewing, POST: checking },
  "/api/partners/[partner]/[environment]/endpoint-checks/daily": { PUT: adminOnly },
  "/api/partners/[partner]/[environment]/capture": { GET: viewing, PUT: adminOnly },
  // Whoever may see the messages: this one does not exist.
  "/api/partners/[partner]/[environment]/capture/arrivals/[arrival]": {
    GET: ["out", "gone", "gone", "gone", "gone", "why", "gone", "gone"],
  },

  "/api/account/alerts": { PUT: signedIn },
  "/api/account/name": { PUT: signedIn },
  "/api/account/one-time-codes": { POST: signedIn, PUT: signedIn, DELETE: signedIn },
  "/api/account/passkeys": { POST: signedIn, PUT: signedIn, DELETE: signedIn },
  "/api/account/password": { POST: signedIn },
  "/api/account/recovery-codes": { POST: signedIn },
  "/api/account/sessions": { DELETE: signedIn },
  "/api/account/step-up": { POST: signedIn, PUT: signedIn },

  "/api/installation/activity": { GET: operating },
  "/api/staff": { GET: operating, POST: operating },
  "/api/staff/[person]": { PATCH: operating },
};

/** Routes without a check of roles: those that the provider leads to or calls, and addresses that are not ours. */
export const otherRoutes = [
  "/api/auth/callback/oidc",
  "/api/auth/back-channel-logout",
  "/api/[...unknown]",
];

export const pageTable: Record<string, Row> = {
  "/": ["out", "on", "on", "on", "on", "on", "on", "on"],
  "/sign-in": ["yes", "on", "on", "on", "on", "on", "on", "on"],
  "/alert-address": everybody,
  "/invitation": everybody,
  "/choose-password": everybody,
  "/forgot-password": everybody,
  // Only where the provider is the only way in.
  "/confirm-identity": ["out", "gone", "gone", "gone", "gone", "gone", "gone", "gone"],
  "/partners": signedIn,
  "/account": signedIn,
  "/overview": staffViewing,
  "/installation": operating,
  "/installation/activity": operating,
  "/partners/[partner]/support-view": ["out", "no", "no", "no", "gone", "yes", "on", "no"],
  "/partners/[partner]/team": adminOnly,
  "/partners/[partner]/[environment]/webhooks": viewing,
  "/partners/[partner]/[environment]/approvals": members,
  "/partners/[partner]/[environment]/history": viewing,
  "/partners/[partner]/[environment]/receiver-kit": viewing,
  "/partners/[partner]/[environment]/connection": adminViewing,
};

/** Addresses below a partner that no page has. */
export const unknownPages = [
  "/partners/[partner]",
  "/partners/[partner]/nothing-here",
  "/partners/[partner]/[environment]/nothing-here",
];

/** The answer to an address that no route serves. */
export const unknownAddresses: Record<string, Row> = {
  "/api/nothing-here": nobody,
  "/api/partners/x/y/z/nothing-here": nobody,
};

export const outcomeFor = (row: Row, identity: Identity): Outcome =>
  row[identities.indexOf(identity)] ?? "gone";

/** A made-up id, of the shape that ours have. */
const madeUpId = "11111111-1111-4111-8111-111111111111";

/** Fills in ids besides the partner's. What they name need not exist, because access is checked first. */
export const fill = (address: string, partnerId: string) =>
  address
    .replace("[partner]", partnerId)
    .replace("[environment]", "sandbox")
    .replace(/\[[a-z]+\]/g, madeUpId);
