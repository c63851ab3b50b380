/** A partner the person is part of, and the environments they can choose from there. */
export type ShellMembership = {
  partnerId: string;
  partnerName: string;
  role: "viewer" | "editor" | "admin";
  environments: readonly string[];
};

/** The signed-in person, as far as the shell shows them. */
export type ShellUser = {
  id: string;
  name: string;
  email: string;
  staffRole: "support" | "operator" | null;
  memberships: readonly ShellMembership[];
};
