/** The pages of a partner, by the last segment of their path. */
export type Section = "webhooks" | "approvals" | "history" | "receiver-kit" | "connection" | "team";

/** A partner that the person belongs to or views for support, and the environments they can choose there. */
export type ShellMembership = {
  partnerId: string;
  partnerName: string;
  role: "viewer" | "editor" | "admin" | "support";
  environments: readonly string[];
  /** The pages that the person's role can open. */
  sections: readonly Section[];
};

/** What the shell shows of the signed-in person. */
export type ShellUser = {
  id: string;
  name: string;
  email: string;
  staffRole: "support" | "operator" | null;
  memberships: readonly ShellMembership[];
};
