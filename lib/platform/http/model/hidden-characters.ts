/*
 * Characters that come with copied text and that nobody can tell from what they meant. Mail, chats and PDF break an
 * address over lines; editors and web pages insert zero-width spaces, soft hyphens, marks of direction and byte order
 * marks; phones and word processors put dashes, curly quotation marks and other spaces for the plain ones.
 */

const lineBreaks = "\\t\\n\\v\\f\\r\\x85\\u2028\\u2029";
/** Characters that Unicode gives no glyph, and control characters; line breaks and tabs are a case of their own. */
const invisible = String.raw`(?![${lineBreaks}])[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}]`;

export function hasInvisible(text: string): boolean {
  return new RegExp(invisible, "u").test(text);
}

export function withoutInvisible(text: string): string {
  return text.replace(new RegExp(invisible, "gu"), "");
}

/** A tab counts: it comes from the same tables and lines, and is as hard to see. */
export function hasLineBreak(text: string): boolean {
  return new RegExp(`[${lineBreaks}]`).test(text);
}

/** The text of each line, without the spaces around the breaks; leaves out empty lines. */
export function splitLines(text: string): string[] {
  return text
    .split(new RegExp(`[${lineBreaks}]`))
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

/** A space that is not the one of the keyboard: nobody can see the difference. */
const oddSpace = String.raw`(?! )[\p{Zs}\u2800]`;

export function hasOddSpace(text: string): boolean {
  return new RegExp(oddSpace, "u").test(text);
}

const fullWidth = "[\\uff01-\\uff5e]";
/** Each with the plain form that it looks like. */
const lookAlikes = [
  ["odd_space", oddSpace, " "],
  ["dash", String.raw`(?!-)[\p{Pd}\u2043\u2212]`, "-"],
  ["curly_quote", "[\\u2018-\\u201b\\u2032\\u2035]", "'"],
  ["curly_quote", "[\\u201c-\\u201f\\u2033\\u2036\\xab\\xbb]", '"'],
] as const;

export function hasLookAlike(text: string): boolean {
  return (
    lookAlikes.some(([, like]) => new RegExp(like, "u").test(text)) ||
    new RegExp(fullWidth).test(text)
  );
}

/** With the characters of the keyboard in place of those that look like them. */
export function plainForm(text: string): string {
  return lookAlikes
    .reduce((plain, [, like, meant]) => plain.replace(new RegExp(like, "gu"), meant), text)
    .replace(new RegExp(fullWidth, "g"), (wide) => wide.normalize("NFKC"));
}

const names = [
  ["tab", "\\t"],
  ["line_break", `[${lineBreaks}]`],
  ["zero_width_space", "[\\u200b\\u2060]"],
  ["zero_width_joiner", "[\\u200c\\u200d]"],
  ["byte_order_mark", "\\ufeff"],
  ["soft_hyphen", "\\xad"],
  ["direction_mark", "[\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]"],
  ["control_character", String.raw`\p{Cc}`],
  ["invisible_character", invisible],
  ["no_break_space", "[\\xa0\\u202f]"],
  ...lookAlikes,
  ["full_width", fullWidth],
] as const;

export type UnusualName = (typeof names)[number][0];

/** Each kind of them that a text contains, once, in order of appearance. */
export function unusualIn(text: string): UnusualName[] {
  const nameOf = (character: string) =>
    names.find(([, pattern]) => new RegExp(pattern, "u").test(character))?.[0];
  return [...new Set(Array.from(text, nameOf))].filter((name) => name !== undefined);
}
