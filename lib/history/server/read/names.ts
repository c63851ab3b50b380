import "server-only";
import { withNames, type Owner } from "@/lib/history/model/names";
import { peopleMet } from "@/lib/platform/auth/person-names";
import type { Executor } from "@/lib/platform/database/open";
import { addressNotKept, erasedPerson } from "@/lib/platform/secrets/model/people";

const idsPerQuery = 500;

type Called = { name: string; email: string };

/** What people, invitations and passkeys are called today, and what people were called before. */
export type NamesOf = (owner: Owner, field: keyof Called) => string;

/** Shown for a name that is not kept. */
const placeholders = {
  user: erasedPerson,
  invitation: addressNotKept,
  passkey: "",
  formerName: "",
};

/** The names of everybody in these actors and details. */
export async function namesIn(
  executor: Executor,
  chainId: string,
  actors: Iterable<string>,
  details: Iterable<unknown>,
): Promise<NamesOf> {
  const ids = {
    user: new Set(actors),
    invitation: new Set<string>(),
    passkey: new Set<string>(),
    formerName: new Set<string>(),
  };
  for (const detail of details)
    withNames(detail, (text, { of, id }) => {
      ids[of].add(id);
      return text;
    });
  const read = {
    user: (some: string[]) => peopleMet(executor, chainId, some),
    invitation: (some: string[]) =>
      executor
        .selectFrom("invitations")
        .select(["id", "email", "email as name"])
        .where("id", "in", some)
        .execute(),
    passkey: (some: string[]) =>
      executor
        .selectFrom("passkeys")
        .select(["id", "name", "name as email"])
        .where("id", "in", some)
        .execute(),
    formerName: (some: string[]) =>
      executor
        .selectFrom("former_names")
        .select(["id", "name", "name as email"])
        .where("id", "in", some)
        .execute(),
  };
  const called = new Map<string, Called>();
  for (const kind of ["user", "invitation", "passkey", "formerName"] as const)
    for (const some of parts(ids[kind]))
      for (const { id, ...names } of await read[kind](some)) called.set(`${kind} ${id}`, names);
  return ({ of, id }, field) => {
    const found = called.get(`${of} ${id}`);
    if (!found) return placeholders[of];
    return found.name === erasedPerson ? erasedPerson : found[field];
  };
}

function* parts(ids: ReadonlySet<string>): Generator<string[]> {
  const all = [...ids];
  for (let at = 0; at < all.length; at += idsPerQuery) yield all.slice(at, at + idsPerQuery);
}
