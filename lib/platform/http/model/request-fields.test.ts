import { expect, it } from "vitest";
import { fieldErrors } from "./field-errors";
import { newPartnerSchema } from "@/lib/partners/model/change-requests";
import { emailField, lineField, nameField, plainLine, requiredLineField } from "./request-fields";
import { newStaffSchema } from "@/lib/staff/model/staff";
import { inviteSchema, roleChangeSchema } from "@/lib/team/model/requests";

/** What the field is refused for, or null. */
function codeIn(schema: ReturnType<typeof nameField>, value: unknown): string | null {
  const { error } = schema.safeParse(value);
  return error ? (fieldErrors(error.issues)[0]?.code ?? "none") : null;
}

const name = nameField(20);
const named: [string, (given: string) => { success: boolean }][] = [
  ["staff", (given) => newStaffSchema.safeParse({ ...person, name: given, role: "support" })],
  ["a member", (given) => inviteSchema.safeParse({ ...person, name: given, role: "editor" })],
  ["a partner", (given) => newPartnerSchema.safeParse({ id: "aurora", name: given })],
];
const person = { email: "ana@example.com" };

it.each([
  ["a line break", "Ana\nadmin"],
  ["a control character", "Ana\u0007"],
  ["a zero-width space", "A\u200bna"],
  ["text turned round", "Ana \u202ereis"],
  ["a line separator", "Ana\u2028Reis"],
  ["a letter that nobody sees", "\u3164"],
  ["another one behind a name", "Ana\u115f"],
  ["an empty Braille cell", "Ana \u2800"],
  ["a character of private use", "Ana \ue000"],
])(
  "lets no name have %s (threat: a name that reads as another in mails and the history)",
  (_, given) => {
    expect(codeIn(name, given)).toBe("invisible_character");
    for (const [whose, parse] of named)
      expect([whose, parse(given).success]).toEqual([whose, false]);
  },
);

it.each(["-", "…", "🪝"])("lets no name be %s, without a letter or a digit", (given) => {
  expect(codeIn(name, given)).toBe("required");
});

it("turns any pasted text into a line that is accepted", () => {
  const pasted = ["\tnew host\n", "new\u2028host", "new \u202ehost", "new\u0007\u200bhost"];
  for (const text of pasted) expect(lineField(20).parse(plainLine(text))).toBe("new host");
  expect(plainLine(" \u200b\n")).toBe("");
  // Letters that nobody sees, also alone.
  for (const blank of ["\u3164", "\u034f", "\uffa0", "\u2800"]) {
    expect(codeIn(requiredLineField(20), blank)).toBe("invisible_character");
    expect(codeIn(lineField(20), `new${blank}host`)).toBe("invisible_character");
    expect(lineField(20).parse(plainLine(`new${blank}host`))).toBe("new host");
  }
});

it("accepts a name in any script, without the spaces around it", () => {
  for (const given of ["Ana", "João D’Ávila", "李小龍", "Zé 🪝"]) {
    expect(name.parse(` ${given} `)).toBe(given);
    for (const [whose, parse] of named)
      expect([whose, parse(given).success]).toEqual([whose, true]);
  }
});

it("says why a name or an address is refused", () => {
  expect([undefined, 5, "  ", "x".repeat(21)].map((given) => codeIn(name, given))).toEqual([
    "required",
    "not_text",
    "required",
    "too_long",
  ]);
  const given = [undefined, 5, " ", `${"x".repeat(243)}@example.com`, "no address"];
  expect(given.map((address) => codeIn(emailField, address))).toEqual([
    "required",
    "not_text",
    "required",
    "too_long",
    "not_an_email",
  ]);
});

it("stores an address in lower case, because people are found by it", () => {
  expect(emailField.parse(" Ana@Example.COM ")).toBe("ana@example.com");
});

it.each(["operator", "support", "owner", "ADMIN", "", ["admin"], { role: "admin" }, 1])(
  "offers no role %j beyond a partner's (threat: role escalation)",
  (role) => {
    for (const parsed of [
      roleChangeSchema.safeParse({ role }),
      inviteSchema.safeParse({ ...person, role }),
    ])
      expect(parsed.error?.issues.map(({ message }) => message)).toEqual(["not_offered"]);
  },
);
