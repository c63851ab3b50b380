/** As whom a person reads the list of partners. */
export type ListReader = "support" | "operator" | "member";
