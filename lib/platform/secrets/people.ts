/**
 * Stands in for a partner's id, for what belongs to the people of the installation and not to a partner: their data
 * key, and their history. No partner's id begins so (id-pattern.ts).
 */
export const people = "@people";
