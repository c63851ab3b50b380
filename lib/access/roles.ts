/** Roles of product.md, and what each may do. The table is enforced in the functions that read and write. */
export const partnerRoles = ["viewer", "editor", "admin"] as const;
export type PartnerRole = (typeof partnerRoles)[number];

export const staffRoles = ["support", "operator"] as const;
export type StaffRole = (typeof staffRoles)[number];

export type Permission = "webhooks.read" | "webhooks.write" | "history.read";

const permissions: Record<PartnerRole, readonly Permission[]> = {
  viewer: ["webhooks.read", "history.read"],
  editor: ["webhooks.read", "history.read", "webhooks.write"],
  admin: ["webhooks.read", "history.read", "webhooks.write"],
};

export function may(role: PartnerRole, permission: Permission): boolean {
  return permissions[role].includes(permission);
}
