/**
 * Replaces the stored name or e-mail address of an erased person. Screens and mails say it in the reader's language.
 */
export const erasedPerson = "Erased person";

/** The same for an invited address whose invitation is no longer kept. */
export const addressNotKept = "Address no longer kept";

/** The address of an erased person's account. */
export const erasedAddress = (userId: string) => `${userId}@erased.invalid`;

/**
 * Stands in for a partner's id, for what belongs to the people of the installation and not to a partner: their data
 * key, and their history. No partner's id begins so (id-pattern.ts).
 */
export const people = "@people";
