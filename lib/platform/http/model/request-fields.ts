import * as z from "zod/mini";
import type { FieldCode } from "./field-errors";

type Issue = { code?: string; input?: unknown };

/** A field code as zod's message, so that browser and server name a problem alike. */
export const code = (name: FieldCode) => name;

export const missingOr = (name: FieldCode) => (issue: Issue) =>
  code(issue.input === undefined ? "required" : name);

export const notExpectedObject = (issue: Issue) =>
  issue.code === "unrecognized_keys" ? code("unknown_field") : missingOr("not_an_object")(issue);

/** What nobody sees, such as the Hangul filler, and what breaks or turns a line; not the selectors that emoji have. */
const unseen =
  "(?![\\uFE00-\\uFE0F])[\\p{Default_Ignorable_Code_Point}\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}\\p{Zl}\\p{Zp}\\u2800]";

/** One line of visible characters: its writer could not see what an invisible one does to a text elsewhere. */
const visible = () =>
  z.regex(new RegExp(`^(?:(?!${unseen})[^])*$`, "u"), { error: code("invisible_character") });

/** One line that is not empty, in a person's own words. `longest` in characters. */
export const requiredLineField = (longest: number) =>
  z
    .string({ error: missingOr("not_text") })
    .check(
      z.trim(),
      z.minLength(1, { error: code("required") }),
      z.maxLength(longest, { error: code("too_long") }),
      visible(),
    );

/**
 * Why a text is no name of a person or thing, for headings, mails and the history: a name has a letter or a digit, and
 * nothing in it is invisible.
 */
export function nameFault(name: string): FieldCode | null {
  if (new RegExp(unseen, "u").test(name)) return "invisible_character";
  return /[\p{L}\p{N}]/u.test(name) ? null : "required";
}

export const nameField = (longest: number) =>
  requiredLineField(longest).check(
    z.check(({ value, issues }) => {
      const fault = issues.length === 0 && nameFault(value);
      if (fault) issues.push({ code: "custom", input: value, message: code(fault) });
    }),
  );

/** What somebody typed or pasted, as one line that hides nothing: what would hide, break or turn it becomes a space. */
export function plainLine(text: string): string {
  return text.replace(new RegExp(unseen, "gu"), " ").replace(/\s+/gu, " ").trim();
}

/**
 * One line in a person's own words, which others read; it may be empty. A form sends what `plainLine` makes of what was
 * typed. `longest` in characters.
 */
export const lineField = (longest: number) =>
  z
    .string({ error: missingOr("not_text") })
    .check(z.maxLength(longest, { error: code("too_long") }), visible());

/** Lower-case, because people are found by it; mail can carry at most 254 characters (RFC 5321). */
export const emailField = z
  .string({ error: missingOr("not_text") })
  .check(
    z.trim(),
    z.toLowerCase(),
    z.minLength(1, { error: code("required"), abort: true }),
    z.maxLength(254, { error: code("too_long") }),
    z.email({ error: code("not_an_email") }),
  );
