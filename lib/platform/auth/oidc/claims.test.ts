import { expect, it } from "vitest";
import { completed, identityIn, leavesOut, staffRoleIn } from "./claims";

const issuer = "https://id.example";
const ana = { sub: "a-1", email: "Ana@Aurora.example", email_verified: true };
const staff = { name: "groups", support: "gancho-support", operator: "gancho-operators" };

it("reads a verified address in lower case", () => {
  expect(identityIn(issuer, ana)).toEqual({
    issuer,
    subject: "a-1",
    verifiedEmail: "ana@aurora.example",
    name: null,
  });
});

it.each([
  [" Ana Reis ", "Ana Reis"],
  ["", null],
  ["x".repeat(101), null],
  ["Ana\nReis", null],
  ["Ana\u202eReis", null],
  [["Ana"], null],
])("takes %j for the name %j", (name, taken) => {
  expect(identityIn(issuer, { ...ana, name })).toMatchObject({ name: taken });
});

it.each([
  ["that is not verified", { ...ana, email_verified: false }],
  ["whose email_verified is a text", { ...ana, email_verified: "true" }],
  ["without email_verified", { sub: "a-1", email: ana.email }],
  ["that is missing", { sub: "a-1", email_verified: true }],
  [
    "with a letter that lower-casing makes ASCII (threat: K for k)",
    { ...ana, email: "\u212aim@a.example" },
  ],
])("trusts no address %s", (_what, claims) => {
  expect(identityIn(issuer, claims)).toMatchObject({ verifiedEmail: null });
});

it.each([[{}], [{ ...ana, sub: "" }], [{ ...ana, sub: 7 }], [{ ...ana, sub: "x".repeat(256) }]])(
  "finds no identity in claims without a usable sub: %j",
  (claims) => expect(identityIn(issuer, claims)).toBeNull(),
);

it.each([
  [["others", "gancho-support"], "support"],
  [["gancho-support", "gancho-operators"], "operator"],
  ["gancho-operators", "operator"],
  [["gancho-operators-of-another-town"], null],
  ["gancho-support gancho-operators", null],
  [{ 0: "gancho-operators" }, null],
  [undefined, null],
])("matches whole values only: %j makes %s", (groups, role) => {
  expect(staffRoleIn({ groups }, staff)).toBe(role);
});

it("finds no role in what every object has (threat: a claim named like a built-in)", () => {
  expect(staffRoleIn({}, { ...staff, name: "constructor" })).toBeNull();
});

it("reads the userinfo endpoint for what the ID token leaves out, the staff claim included", () => {
  expect(leavesOut(ana, null)).toBe(false);
  expect(leavesOut({ sub: "a-1", email: ana.email }, null)).toBe(true);
  expect(leavesOut(ana, staff)).toBe(true);
  expect(leavesOut({ ...ana, groups: [] }, staff)).toBe(false);
});

it("does not take one source's word for the other's address (threat: mixed answers)", () => {
  const unsaid = { sub: "a-1", email: "boss@aurora.example" };
  expect(completed(unsaid, ana)).toEqual(ana);
  expect(completed(unsaid, { sub: "a-1", email_verified: true })).toMatchObject({
    email: undefined,
  });
  const userinfo = { sub: "a-1", email: "boss@aurora.example", groups: ["x"] };
  expect(completed(ana, userinfo)).toEqual({ ...ana, groups: ["x"] });
});
