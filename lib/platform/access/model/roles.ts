/**
 * The roles of a partner's people, and of the staff who run the installation; and what each may do within a partner.
 */
export const partnerRoles = ["viewer", "editor", "admin"] as const;
export type PartnerRole = (typeof partnerRoles)[number];

export const staffRoles = ["support", "operator"] as const;
export type StaffRole = (typeof staffRoles)[number];

/**
 * The role in which a person acts within one partner; `support` only during a support view, which the partner can see.
 */
export type ActingRole = PartnerRole | "support";

export type Permission =
  | "webhooks.read"
  | "webhooks.write"
  | "webhooks.approve"
  | "proposals.follow"
  | "authorization.reveal"
  | "endpoints.check"
  | "endpoints.watch"
  | "capture.write"
  | "history.read"
  | "connection.read"
  | "connection.write"
  | "team.read"
  | "team.write"
  | "team.leave"
  | "four_eyes.write";

const readOnly = ["webhooks.read", "history.read"] as const;

/**
 * The outcome of one's own proposals, even without the right to propose now; and nobody has to stay.
 */
const member = [...readOnly, "proposals.follow", "team.leave"] as const;

/** Who may do what: the only table. Functions that read or write take the matching access. */
const permissions: Record<ActingRole, readonly Permission[]> = {
  viewer: member,
  editor: [...member, "webhooks.write", "webhooks.approve", "endpoints.check"],
  admin: [
    ...member,
    "webhooks.write",
    "webhooks.approve",
    "authorization.reveal",
    "endpoints.check",
    "endpoints.watch",
    "capture.write",
    "connection.read",
    "connection.write",
    "team.read",
    "team.write",
    "four_eyes.write",
  ],
  support: [...readOnly, "connection.read", "endpoints.check"],
};

export function may(role: ActingRole, permission: Permission): boolean {
  return permissions[role].includes(permission);
}

/** What staff may do outside a partner. Within one, support acts by the table above, and operators not at all. */
export type StaffPermission =
  "support_view.open" | "overview.read" | "partners.manage" | "staff.manage" | "installation.read";

const staffPermissions: Record<StaffRole, readonly StaffPermission[]> = {
  support: ["support_view.open", "overview.read"],
  operator: ["overview.read", "partners.manage", "staff.manage", "installation.read"],
};

export function staffMay(role: StaffRole, permission: StaffPermission): boolean {
  return staffPermissions[role].includes(permission);
}

/** The permission that each page of a partner requires. The pages check it themselves; links and menus use this. */
const needed = {
  webhooks: "webhooks.read",
  approvals: "proposals.follow",
  history: "history.read",
  "receiver-kit": "webhooks.read",
  connection: "connection.read",
  team: "team.read",
} as const satisfies Record<string, Permission>;

type Section = keyof typeof needed;

/** The pages that a person with this role can open. */
export function sectionsFor(role: ActingRole): Section[] {
  return (Object.keys(needed) as Section[]).filter((section) => may(role, needed[section]));
}
