import type { FieldError } from "./problem";

/**
 * Why a field was refused, as a catalogue: one code, one English title for tools. A person reads the words of the
 * message catalogue under the feature's `fieldErrors.<code>`. Schemas use the code as zod's message, so that the
 * browser's form and the server's answer name a problem alike.
 */
export const fieldErrorTitles = {
  // Any field.
  required: "Is required",
  not_text: "Must be a string",
  not_an_object: "Must be an object",
  not_offered: "Is not one of the values offered",
  unknown_field: "Is not a field of this request",
  too_short: "Is too short",
  too_long: "Is too long",
  not_an_id: "Must be 3 to 40 lower-case letters, digits and hyphens",
  not_an_email: "Must be an e-mail address",
  taken: "Is taken already",

  // Credentials of the payment service.
  invisible_character: "Contains a control character or an invisible one",
  colon: "Contains a colon",

  // People.
  name_taken: "Looks like the name of somebody else here, or of the dashboard itself",
  already_member: "Is part of this partner already",
  has_account: "Has an account already, and signs in with it",
  too_many: "Is one more than there may be",
  has_admin: "Is not needed: the partner has an admin, who invites people",
  wrong_password: "Is not this person's password",
  wrong_code: "Is not a code that can be used now",
  common: "Is among the passwords that everybody tries",
  contains_name: "Contains a name that belongs to the person or the product",

  // A secret, or a callback URL.
  masked: "Is a mask, not a value",
  placeholder: "Is or contains a placeholder",

  // A callback URL or an Authorization value.
  line_break: "Contains a line break or a tab",

  // A callback URL.
  two_addresses: "Contains two addresses",
  surrounding_space: "Has a space at the start or the end",
  not_https: "Must start with https://",
  space: "Contains a space",
  not_ascii: "Contains a character outside printable ASCII",
  fragment: "Contains a fragment (#)",
  forbidden_character: "Contains a character that must be percent-encoded",
  user_info: "Contains a user name or password",
  bad_host: "Has a host that is not valid",
  trailing_dot: "Has a host that ends with a dot",
  bad_port: "Has a port that is not between 1 and 65535",
  disguised_host: "Has a host that is read as another one than is written",
  private_host: "Has a host that is not on the public internet",

  dashboard_address: "Is an address of the dashboard's own, which only tests may use",

  // An Authorization value.
  scheme_alone: "Is a scheme without a value",
  header_name: "Begins with the name of the header; confirm it if it is meant",
  quoted: "Is in quotation marks; confirm it if it is meant",
  scheme_twice: "Has two schemes; confirm it if it is meant",
  word_for_secret: "Is a word that stands for a secret; confirm it if it is meant",
  not_printable: "Contains a character outside printable ASCII",
  /** The callback moves, and the stored value would go with it. */
  conflicting_values:
    "Cannot be kept: the payment service shows two different values, or lists the type more than once",
  retype_for_new_origin: "Must be typed again when the callback moves to another origin",
  retype_other_value:
    "Must be typed: the payment service shows another value than the last one that was sent and not refused",
  retype_unproven: "Must be typed: the dashboard cannot tell which value is set, if any",
  operation_reused: "Was used before for another change",
  retype_not_shown: "Must be typed: the payment service does not show the value",
} as const;

export type FieldCode = keyof typeof fieldErrorTitles;

function isFieldCode(code: string): code is FieldCode {
  return Object.hasOwn(fieldErrorTitles, code);
}

/** Field errors as another process answered them; a code that this one does not know counts as `not_offered`. */
export function withKnownCodes(
  errors: readonly { path: string; code: string }[],
): { path: string; code: FieldCode }[] {
  return errors.map(({ path, code }) => ({ path, code: isFieldCode(code) ? code : "not_offered" }));
}

type Issue = {
  code?: string | undefined;
  path: PropertyKey[];
  message: string;
  keys?: string[];
};

/**
 * The issues of a parse by field: one error a path, the first one. An unknown key gets its own path. A message that is
 * no field code counts as `not_offered`.
 */
export function fieldErrors(issues: readonly Issue[]): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const issue of issues) {
    const parent = issue.path.map(String);
    const paths = issue.keys ? issue.keys.map((key) => [...parent, key]) : [parent];
    for (const path of paths.map((parts) => parts.join("."))) {
      if (!found.has(path)) found.set(path, toFieldError(path, issue.message));
    }
  }
  return [...found.values()];
}

function toFieldError(path: string, message: string): FieldError {
  const code = isFieldCode(message) ? message : "not_offered";
  return { path, code, message: fieldErrorTitles[code] };
}
