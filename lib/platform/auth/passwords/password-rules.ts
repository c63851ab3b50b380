import "server-only";
import { commonPasswords, commonWords } from "./common-passwords";

/** Length alone makes a password strong enough against guessing offline; more than 256 is no person's password. */
export const passwordLength = { min: 15, max: 256 };

/** Why a new password is refused: by name, for the message catalogue. */
export type PasswordFault = "too_short" | "too_long" | "common" | "contains_name";

/**
 * The first rule that a new password breaks, or null. There are no composition rules: any characters will do.
 * It catches what people and lists of leaked passwords have in common, not every weak one.
 */
export function passwordFault(
  password: string,
  person: { email: string; name: string },
): PasswordFault | null {
  const plain = normalisePassword(password);
  const length = [...plain].length;
  if (length < passwordLength.min) return "too_short";
  if (length > passwordLength.max) return "too_long";
  const lower = plain.toLowerCase();
  if (commonPasswords.has(lower) || new Set(lower).size < 5) return "common";
  if (namesOf(person).some((name) => lower.includes(name))) return "contains_name";
  return isCommonWords(lower) ? "common" : null;
}

/** The same characters typed on two keyboards are the same password (NIST SP 800-63B, 3.1.1.2). */
export function normalisePassword(password: string): string {
  return password.normalize("NFKC");
}

/** The product's name and the person's: a guesser starts there. */
function namesOf({ email, name }: { email: string; name: string }): string[] {
  return [
    "gancho",
    ...email.toLowerCase().split(/[@.+_-]/),
    ...name.toLowerCase().split(/\s+/),
  ].filter((part) => part.length >= 4 && part !== "example");
}

const substitutes: Record<string, string> = {
  "0": "o",
  "1": "i",
  "3": "e",
  "4": "a",
  "5": "s",
  "7": "t",
  "@": "a",
  $: "s",
};

/** Made of the commonest words with digits and signs around them ("Senha@2024#Mudar1"). */
function isCommonWords(lower: string): boolean {
  return [lower, [...lower].map((character) => substitutes[character] ?? character).join("")].some(
    (text) => {
      const letters = text.replace(/[^\p{L}]/gu, "");
      const rest = commonWords.reduce((left, word) => left.replaceAll(word, ""), letters);
      return rest.length < letters.length && rest.length < 4;
    },
  );
}
