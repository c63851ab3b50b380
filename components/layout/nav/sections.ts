/** The pages of a partner. The name is the last part of the address. */
export type Section = "webhooks" | "approvals" | "history" | "receiver-kit" | "connection" | "team";

/** Whether a section is the same in every environment, and stands in no environment's address. */
export function isShared(section: Section): boolean {
  return section === "team";
}
