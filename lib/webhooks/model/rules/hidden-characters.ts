/*
 * Invisible characters that come with copied text. Mail, chats and PDF break an address over lines; editors and web
 * pages insert zero-width spaces, soft hyphens, marks of direction and byte order marks.
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

type HiddenName =
  | "line_break"
  | "tab"
  | "zero_width_space"
  | "zero_width_joiner"
  | "byte_order_mark"
  | "soft_hyphen"
  | "direction_mark"
  | "control_character"
  | "other";

/** Each kind that a text contains, once, in order of appearance. */
export function hiddenIn(text: string): HiddenName[] {
  const found = text.match(new RegExp(`[${lineBreaks}]|${invisible}`, "gu")) ?? [];
  return [...new Set(found.map(nameOf))];
}

const names: [RegExp, HiddenName][] = [
  [/\t/, "tab"],
  [new RegExp(`[${lineBreaks}]`), "line_break"],
  [/[\u200b\u2060]/, "zero_width_space"],
  [/[\u200c\u200d]/, "zero_width_joiner"],
  [/\ufeff/, "byte_order_mark"],
  [/\u00ad/, "soft_hyphen"],
  [/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/, "direction_mark"],
  [/\p{Cc}/u, "control_character"],
];

function nameOf(character: string): HiddenName {
  return names.find(([pattern]) => pattern.test(character))?.[1] ?? "other";
}
