/** Why a forger of the service's messages might guess a value; each has words in the message catalogue. */
export type AuthorizationWeakness =
  "weak_placeholder" | "weak_short" | "weak_repetitive" | "weak_words";

/** In characters: 16 of base64 are 96 random bits, which nobody guesses over a network. */
const shortest = 16;

/** Random hexadecimal of that length has fewer different characters only once in some 100,000 times. */
const fewestDifferent = 6;

/** Left once words and runs are removed. Random text holds a short word now and then. */
const minUnpredictable = 10;

/**
 * Whether an allowed value is easy to guess; undefined where nothing suggests it. A rule of thumb, in this order: it
 * looks like an example that nobody filled in, it is short, it repeats few characters, or it is made of common words,
 * years and runs such as `1234`. It cannot tell random from secret: a value printed in a manual passes.
 */
export function weaknessOf(value: string): AuthorizationWeakness | undefined {
  const secret = secretIn(value);
  if (placeholder.test(secret)) return "weak_placeholder";
  if (secret.length < shortest) return "weak_short";
  if (new Set(secret.toLowerCase()).size < fewestDifferent) return "weak_repetitive";
  return unpredictable(secret) < minUnpredictable ? "weak_words" : undefined;
}

const placeholder =
  /^(?:<.*>|\{.*\}|\[.*\]|\$\{?\w+\}?|%\w+%)$|(?:change|replace|fill)[-_ ]?(?:me|this|it)|(?:your|my|seu|sua|meu|minha)[-_ ]?(?:auth|api|secret|token|key|password|pass|value|segredo|chave|senha|valor)|placeholder|example|exemplo|lorem|insert[-_ ]?here|troque|altere/i;

/** Without the scheme; of Basic, the password. */
function secretIn(value: string): string {
  const [, scheme = "", rest = ""] = /^([a-z][a-z-]*)\s+(\S.*)$/i.exec(value) ?? [];
  if (rest === "" || !/^(?:bearer|basic|token|apikey|api-key)$/i.test(scheme)) return value;
  return scheme.toLowerCase() === "basic" ? passwordIn(rest) : rest;
}

function passwordIn(credentials: string): string {
  try {
    const text = atob(credentials);
    return text.includes(":") ? text.slice(text.indexOf(":") + 1) : credentials;
  } catch {
    return credentials;
  }
}

/** Longest first, so that no part of a longer one remains. */
const words = [
  ..."authorization authentication production webhook password callback payment receiver development".split(
    " ",
  ),
  ..."segredo parceiro producao pagamento callback qwerty letmein welcome partner sandbox default".split(
    " ",
  ),
  ..."service gancho secret bearer basic token admin teste senha valor chave hello world local value".split(
    " ",
  ),
  ..."test pass user demo auth hook pix key api abc dev foo bar xyz".split(" "),
].sort((a, b) => b.length - a.length);

const wordOrYear = new RegExp(`${words.join("|")}|(?:19|20)\\d\\d`, "g");

/** How many characters do not follow from a word or from the character before. */
function unpredictable(secret: string): number {
  const rest = secret
    .toLowerCase()
    .replace(wordOrYear, "")
    .replace(/[^a-z0-9]/g, "");
  let count = 0;
  for (const [index, character] of [...rest].entries()) {
    const step = character.charCodeAt(0) - rest.charCodeAt(index - 1);
    if (index === 0 || Math.abs(step) > 1) count++;
  }
  return count;
}
