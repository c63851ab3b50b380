/**
 * In place of the name or e-mail address of a person who was erased, wherever one was kept. Screens and mails say it in the
 * reader's language.
 */
export const erasedPerson = "Erased person";
