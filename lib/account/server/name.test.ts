import { readChain } from "@/lib/history/server/verify/read-chain";
import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { insert, rowOf, update } from "@/lib/platform/database/testing/rows";
import { people } from "@/lib/platform/secrets/model/people";
import { erasePerson } from "@/lib/retention/server/erase-person";
import { insertMember } from "@/lib/webhooks/testing/rows";
import { changeName } from "@/lib/account/testing/with-access";
import {
  newPerson,
  origin,
  outcomeOf,
  signInHere,
  type TestPerson,
} from "@/lib/account/testing/account-world";
import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";

beforeAll(() => configure());

let partner: string;
let person: TestPerson;
let other: TestPerson;

beforeEach(async () => {
  const mark = randomBytes(4).toString("hex");
  partner = `p-${mark}`;
  await insert("partners", { id: partner, name: "Loja", created_at: 1 });
  [person, other] = [await newPerson(), await newPerson()];
  await update("users", { name: `Nova ${mark}` }, { id: person.id });
  await update("users", { name: `Rui ${mark}` }, { id: other.id });
  await insertMember(db(), partner, person.id, "editor");
  await insertMember(db(), partner, other.id, "admin");
  await signInHere(person);
});

const nameOf = async ({ id }: TestPerson) => (await rowOf("users", { id })).name;
const change = (name: string) => outcomeOf(changeName({ name }, origin));
const entries = async (chain: string) => (await readChain(chain, {}, undefined)).entries;

it("shows a person by their new name, with the old one in an entry of each history that shows them", async () => {
  const before = await nameOf(person);
  expect(await change("Joana Prado")).toBe("done");
  const detail = { userId: person.id, before };
  const actor = { id: person.id, name: "Joana Prado" };
  expect(await entries(partner)).toMatchObject([{ kind: "member_renamed", actor, detail }]);
  expect((await entries(people))[0]).toMatchObject({ kind: "name_changed", actor, detail });
  // Nothing changed, so nothing is recorded.
  expect(await change("Joana Prado")).toBe("done");
  expect(await entries(partner)).toHaveLength(1);
});

it("forgets the earlier names of an erased person, and the entries still verify", async () => {
  await change("Joana Prado");
  const { email } = await rowOf("users", { id: person.id });
  expect(await erasePerson(db(), email)).toEqual({ outcome: "erased" });
  expect(
    await db().selectFrom("former_names").selectAll().where("user_id", "=", person.id).execute(),
  ).toEqual([]);
  const [entry] = (await entries(partner)).filter(({ kind }) => kind === "member_renamed");
  expect(entry).toMatchObject({
    intact: true,
    actor: { name: "Erased person" },
    detail: { before: "" },
  });
});

it("lets nobody take the name of a member, of the staff or of Gancho's support (threat: an act that seems another's)", async () => {
  const before = await nameOf(person);
  const operator = await newPerson();
  const staff = { staff_role: "operator", name: `Olga ${partner}` } as const;
  await update("users", staff, { id: operator.id });
  for (const name of [await nameOf(other), staff.name.toUpperCase(), "Gancho Support"])
    expect(await change(name)).toBe("name: name_taken");
  expect(await nameOf(person)).toBe(before);
  expect(await entries(partner)).toEqual([]);
});
