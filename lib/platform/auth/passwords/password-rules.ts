import "server-only";
import { env } from "@/lib/platform/env/env";

/** Whole passwords of 15 characters and more that everybody tries; the demo's is public. */
const commonPasswords: ReadonlySet<string> = new Set([
  "abcdefghijklmnop",
  "abcdefghijklmnopqrstuvwxyz",
  "qwertyuiop123456",
  "qwertyuiopasdfgh",
  "1234567890123456",
  "correct horse battery staple",
  "correcthorsebatterystaple",
  "correct-horse-battery-staple",
  "gancho-demo-only",
  "ilovemyfamilyforever",
  "maytheforcebewithyou",
  "tobeornottobethatisthequestion",
  "thequickbrownfox",
  "the quick brown fox",
  "thequickbrownfoxjumpsoverthelazydog",
  "loremipsumdolorsitamet",
  "ordemeprogresso",
  "ordem e progresso",
  "deusefielemtodotempo",
  "osenhoremeupastor",
  "o senhor e meu pastor",
  "jesuscristoesenhor",
  "vaicorinthians1910",
  "umavezflamengosempreflamengo",
]);

/** Longer words first, so that a part of one is not taken out of its middle. */
const commonWords: readonly string[] = [
  "administrador",
  "administrator",
  "corinthians",
  "palmeiras",
  "flamengo",
  "trustno",
  "password",
  "passwort",
  "princesa",
  "princess",
  "contrasena",
  "changeme",
  "football",
  "futebol",
  "baseball",
  "superman",
  "sunshine",
  "whatever",
  "computer",
  "internet",
  "iloveyou",
  "starwars",
  "letmein",
  "welcome",
  "bemvindo",
  "estrela",
  "familia",
  "brasil",
  "dragon",
  "monkey",
  "master",
  "shadow",
  "qwerty",
  "azerty",
  "secret",
  "segredo",
  "default",
  "testing",
  "mudar",
  "senha",
  "teste",
  "teamo",
  "jesus",
  "admin",
  "guest",
  "login",
  "hello",
  "test",
  "root",
  "user",
  "deus",
  "amor",
  "love",
  "pix",
].sort((a, b) => b.length - a.length);

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

/** The dashboard's name and the person's: a guesser starts there. */
function namesOf({ email, name }: { email: string; name: string }): string[] {
  return [
    ...env().brand.name.toLowerCase().split(/\s+/),
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
