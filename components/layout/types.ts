/** The pages of a partner. The name is the last part of the address. */
export type Section = "webhooks" | "approvals" | "history" | "receiver-kit" | "connection" | "team";

/** A partner the person is part of, or looks at for support, and the environments they can choose from there. */
export type ShellMembership = {
  partnerId: string;
  partnerName: string;
  role: "viewer" | "editor" | "admin" | "support";
  environments: readonly string[];
  /** The pages that their role reaches. */
  sections: readonly Section[];
};

/** The signed-in person, as far as the shell shows them. */
export type ShellUser = {
  id: string;
  name: string;
  email: string;
  staffRole: "support" | "operator" | null;
  memberships: readonly ShellMembership[];
};
