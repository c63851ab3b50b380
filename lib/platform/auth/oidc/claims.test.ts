import { expect, it } from "vitest";
import { completed, identityIn, leavesOut, staffRoleIn, partnersIn } from "./claims";

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

const none = { staff: null, partners: null };

it("reads the userinfo endpoint for what the ID token leaves out, the staff claim included", () => {
  expect(leavesOut(ana, none)).toBe(false);
  expect(leavesOut({ sub: "a-1", email: ana.email }, none)).toBe(true);
  expect(leavesOut(ana, { ...none, staff })).toBe(true);
  expect(leavesOut({ ...ana, groups: [] }, { ...none, staff })).toBe(false);
  expect(leavesOut(ana, { ...none, partners })).toBe(true);
});

const partners = { name: "groups", before: "pix-", between: "-", after: "" };

it.each([
  ["one", ["pix-aurora-viewer"], { aurora: "viewer" }],
  [
    "several",
    ["pix-aurora-admin", "pix-loja-do-rui-editor"],
    { aurora: "admin", "loja-do-rui": "editor" },
  ],
  ["a text, not a list", "pix-aurora-editor", { aurora: "editor" }],
  [
    "the highest of two",
    ["pix-aurora-editor", "pix-aurora-admin", "pix-aurora-viewer"],
    { aurora: "admin" },
  ],
  ["a partner that is called like a role", ["pix-the-admin-viewer"], { "the-admin": "viewer" }],
  [
    "other groups",
    [
      "pix-aurora-owner",
      "pix-aurora",
      "xpix-aurora-admin",
      "pix-AURORA-admin",
      "pix--admin",
      "pix-a/../b-admin",
      7,
      null,
      {},
    ],
    {},
  ],
  ["none", undefined, {}],
])("finds partners and roles in the claim: %s", (_, groups, found) => {
  const claims = groups === undefined ? {} : { groups };
  expect(Object.fromEntries(partnersIn(claims, partners))).toEqual(found);
});

it("reads what stands around them", () => {
  const claim = { name: "roles", before: "", between: "/", after: "@pix" };
  expect([...partnersIn({ roles: ["aurora/admin@pix", "aurora/admin"] }, claim)]).toEqual([
    ["aurora", "admin"],
  ]);
});

it("takes a list that the provider left out for no list (threat: everybody loses access at once)", () => {
  const claims = { _claim_names: { groups: "src1" } };
  expect(() => partnersIn(claims, partners)).toThrow("left groups out");
});

it("reads no part of a list that names too many partners (threat: what it names beyond is ended in its name)", () => {
  const named = (many: number) =>
    Array.from({ length: many }, (_, at) => [
      `pix-partner-${at}-viewer`,
      `pix-partner-${at}-admin`,
    ]);
  const groups = ["others", ...named(200).flat()];
  expect(partnersIn({ groups }, partners).size).toBe(200);
  expect(() => partnersIn({ groups: [...groups, "pix-aurora-viewer"] }, partners)).toThrow(
    "groups names more than 200 partners",
  );
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
