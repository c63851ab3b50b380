/**
 * Replaces the stored name or e-mail address of an erased person. Screens and mails say it in the reader's language.
 */
export const erasedPerson = "Erased person";
