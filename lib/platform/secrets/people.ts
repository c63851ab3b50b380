/**
 * Stands where a partner's id could, for what belongs to the people of the installation and not to a partner: a data key
 * of their own, and a history of their own. No partner's id begins so (id-pattern.ts).
 */
export const people = "@people";
