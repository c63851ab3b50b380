/*
 * What people enter in place of a secret: the mask that a screen or a log shows, the placeholder of a document, the
 * variable of a template, a word for it. One rule for every secret that is set, wherever it comes from.
 */

/**
 * `masked`, `placeholder`: certainly no secret, so it is refused. `word`: a word for a secret, which somebody may have
 * chosen as one, so a person is asked; where nobody can be asked, it is refused too.
 */
export type StandIn = "masked" | "placeholder" | "word";

/** The characters of tokens, Base64 and identifiers: beside others, asterisks and dots are a password's. */
const token = String.raw`[\w~+/=-]*`;

const masks = [
  /^[*•●○·∙․‧⋅…⁎∗＊.\s]+$/u,
  /^([-_#?=~])\1{2,}$/,
  // These are found in masks alone.
  /[•●○∙․‧⋅…⁎∗＊]/u,
  // With a visible end: "****1234", "sk_live_***", "eyJhbGciOi...", "1234xxxxxxxx".
  new RegExp(String.raw`^${token}(?:\*{3,}|\.{3,})${token}$`),
  /^[\w-]*x{6,}[\w-]*$/i,
  /^x{3,}$|^x{2,}(?:[\s_.-]x{2,})+$/i,
  /^[[(<{](?:secret|redacted|masked|hidden|filtered|removed|omitted)[\])>}]$/i,
  // A fingerprint that Gancho shows.
  /^fp [0-9a-f]{4} ?[0-9a-f]{4}$/i,
];

/** In characters. Nobody writes a longer one, and these patterns take long for it. */
const longest = 1_000;

/** Whether a screen or a log shows it in place of a secret. */
export function isMasked(secret: string): boolean {
  return secret.length <= longest && masks.some((mask) => mask.test(secret));
}

const name = String.raw`\s*\p{L}(?:[\p{L}_.: -]{0,58}\p{L})?_?\d{0,2}\s*`;
/** Never found around a name in an address. */
const inText = String.raw`[$#]?\{\{?${name}\}\}?|<(?:%=?)?${name}%?>|\$\(${name}\)`;
const bracketed = new RegExp(String.raw`^(?:${inText}|\[${name}\]|%${name}%|__${name}__)$`, "iu");

/** The variables of templates and documents in a text, as written: `{merchant_id}`, `${TOKEN}`, `<your host>`. */
export function placeholdersIn(text: string): string[] {
  return text.match(new RegExp(inText, "giu")) ?? [];
}

/** They say that something is to be filled in, or was left out. */
const instructions =
  "your insert enter paste replace change here placeholder redacted omitted undefined null nan todo tbd env " +
  "seu sua insira cole coloque digite substitua troque aqui omitido";
const others =
  "my the this put with me process removed hidden masked none example sample dummy string text secret token key id api " +
  "access auth authorization bearer basic password passwd passphrase credentials credential client value webhook header " +
  "jwt meu minha por do da de valor segredo senha chave acesso exemplo credencial oculto removido cabeçalho cabecalho";
const anyOf = (text: string) => text.replaceAll(" ", "|");
const instruction = new RegExp(anyOf(instructions), "i");
/** These words, joined in any way, and nothing else. */
const words = new RegExp(
  String.raw`^\s*(?:(?:${anyOf(`${instructions} ${others}`)})[\s_.:-]*)+\d{0,3}$`,
  "i",
);

/** null for anything else. A random secret is never taken for a stand-in, whatever it is encoded in. */
export function standInFor(secret: string): StandIn | null {
  if (secret.length > longest) return null;
  if (isMasked(secret)) return "masked";
  const namesSecret = placeholdersIn(secret).some((found) => {
    const name = found.replace(/[^\p{L}]+/gu, " ");
    // A random value may well contain "<Me>", but nothing longer.
    return name.replaceAll(" ", "").length > 3 && words.test(name);
  });
  if (namesSecret || bracketed.test(secret)) return "placeholder";
  const isVariable = secret.startsWith("$");
  if (!words.test(isVariable ? secret.slice(1) : secret)) return null;
  return isVariable || instruction.test(secret) ? "placeholder" : "word";
}
