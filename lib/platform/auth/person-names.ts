import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { erasedPerson } from "@/lib/platform/secrets/model/people";
import unhomoglyph from "unhomoglyph";

/**
 * The names of Gancho and of actors who are not people, in every language and in the history. Copied, because not every
 * program that names people should load all messages; a test compares them.
 */
export const ofNobody = [
  "Gancho",
  "Erased person",
  "Viewer",
  "Editor",
  "Admin",
  "Support · read-only",
  "Operator",
  "Unknown client",
  "Another client of the payment service’s API",
  "Nobody known here",
  "At Gancho’s terminal",
  "Usuário excluído",
  "Leitor",
  "Administrador",
  "Suporte · só leitura",
  "Operador",
  "Cliente desconhecido",
  "Outro cliente da API do serviço de pagamento",
  "Ninguém conhecido aqui",
  "No terminal do Gancho",
];

const smallCapitals = new Map(
  [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"].map((letter, at) => [
    letter,
    "abcdefghijklmnoprstuvwyz"[at] ?? "",
  ]),
);

/**
 * The look of a name: the same for two that readers could confuse. By Unicode's list of confusable characters (UTS 39),
 * and also regardless of case, accents, spaces, signs, and i for l.
 */
export function lookOf(name: string): string {
  const known = looks.get(name);
  if (known !== undefined) return known;
  if (looks.size >= maxKept) looks.clear();
  const look = findLook(name);
  looks.set(name, look);
  return look;
}

/** A look takes a tenth of a millisecond to find, and the same few names recur. */
const looks = new Map<string, string>();
const maxKept = 10_000;

function findLook(name: string): string {
  const large = unhomoglyph(name.normalize("NFKC"));
  const small = large.toLowerCase().replace(/./gu, (one) => smallCapitals.get(one) ?? one);
  return unhomoglyph(small)
    .normalize("NFD")
    .toLowerCase()
    .replaceAll("i", "l")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const reserved = new Set(
  [...ofNobody, erasedPerson, "Pessoa apagada", "System", "Sistema", "Unknown", "Desconhecido"].map(
    lookOf,
  ),
);

/** Whether a new person may not have this name: it looks like one of the others, or like a reserved one. */
export function isNameTaken(name: string, others: readonly string[] = []): boolean {
  const look = lookOf(name);
  return reserved.has(look) || others.some((other) => lookOf(other) === look);
}

type Person = { id: string; name: string };

/** Who belongs to a partner. Checks no access. */
export async function membersOf(executor: Executor, partnerId: string): Promise<Person[]> {
  return executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name"])
    .where("memberships.partner_id", "=", partnerId)
    .execute();
}

/**
 * The names to show for people: with the address behind a name that looks like another one's. Two people may have one
 * name if both had accounts before they met in a partner.
 */
export function namesAmong(
  people: readonly (Person & { email: string })[],
  called: readonly Person[] = [],
): (person: Person) => string {
  const owners = new Map<string, Set<string>>();
  for (const { id, name } of [...people, ...called])
    owners.set(lookOf(name), (owners.get(lookOf(name)) ?? new Set()).add(id));
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  return ({ id, name }) => {
    const isAlone = (owners.get(lookOf(name))?.size ?? 0) < 2;
    const email = emails.get(id);
    return isAlone || email === undefined || name === erasedPerson
      ? name
      : withAddress(name, email);
  };
}

/**
 * The same for people who are named within a partner, compared with each other and its members. Checks no access.
 */
export async function distinctNames(
  executor: Executor,
  partnerId: string,
  called: readonly Person[],
): Promise<(person: Person) => string> {
  if (called.length === 0) return ({ name }) => name;
  const ids = called.map(({ id }) => id);
  const people = await executor
    .selectFrom("users")
    .select(["id", "name", "email"])
    .where((eb) =>
      eb.or([
        eb("id", "in", ids),
        eb(
          "id",
          "in",
          eb.selectFrom("memberships").select("user_id").where("partner_id", "=", partnerId),
        ),
      ]),
    )
    .execute();
  return namesAmong(people, called);
}

export function withAddress(name: string, email: string): string {
  return `${name} (${email})`;
}
