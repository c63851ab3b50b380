import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { prepared, type Bound } from "@/lib/platform/database/prepared";
import { env } from "@/lib/platform/env/env";
import { processWide } from "@/lib/platform/runtime/process-wide";
import { erasedPerson } from "@/lib/platform/secrets/model/people";
import { cache } from "react";
import unhomoglyph from "unhomoglyph";

/**
 * The names of actors who are not people, in every language and in the history. Copied, because not every
 * program that names people should load all messages; a test compares them.
 */
export const ofNobody = [
  "Erased person",
  "The dashboard",
  "Noted by the dashboard",
  "Viewer",
  "Editor",
  "Admin",
  "Support · read-only",
  "Operator",
  "Nobody here",
  "Nobody known here",
  "At the dashboard’s terminal",
  "O painel",
  "Anotado pelo painel",
  "Usuário excluído",
  "Leitor",
  "Administrador",
  "Suporte · só leitura",
  "Operador",
  "Ninguém no painel",
  "Ninguém conhecido aqui",
  "No terminal do painel",
];

/** Letters in white on a circle or a square, and those of flags: Unicode calls them symbols, and readers read them. */
const enclosed = new Map(
  [0x1f150, 0x1f170, 0x1f1e6].flatMap((first) =>
    [..."abcdefghijklmnopqrstuvwxyz"].map(
      (letter, at) => [String.fromCodePoint(first + at), letter] as const,
    ),
  ),
);

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
  const letters = name.replace(/./gu, (one) => enclosed.get(one) ?? one);
  const large = unhomoglyph(letters.normalize("NFKC"));
  const small = large.toLowerCase().replace(/./gu, (one) => smallCapitals.get(one) ?? one);
  return unhomoglyph(small)
    .normalize("NFD")
    .toLowerCase()
    .replaceAll("i", "l")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

const looking = (words: string) => words.split(" ").map(lookOf).join("|");
/** What somebody is, not who. */
const offices = looking(
  "admin administrator administrador administradora administration administração support suporte help ajuda atendimento " +
    "operator operador operadora operations operações staff team equipe security segurança system sistema service serviço " +
    "official oficial alert alerts alerta alertas notifications notificações bot robot robô desk central dashboard painel",
);
const between = looking("of the from at by and de do da dos das no na em por e");

/** What nobody may be called in this installation, whose names the dashboard has. */
const refused = () => processWide("refused names", () => refusedNames(env().brand.name));

function refusedNames(brand: string) {
  const names = [brand, "Gancho"];
  // A word of a name is short for it, unless it is too short to say anything.
  const words = names.flatMap((name) => name.split(/\s+/)).filter((word) => word.length >= 4);
  const product = [...names, ...words].map(lookOf).filter(Boolean).join("|");
  return {
    whole: new Set([...names, ...ofNobody, erasedPerson, ...reserved].map(lookOf)),
    /** An office alone, however it is written, such as "Gancho Support" or "Equipe de Segurança". */
    office: new RegExp(
      `^(?:${between})*(?:${product}|${offices})(?:${product}|${offices}|${between})*$`,
    ),
    /** The same with a person's name beside it: the dashboard's may be a family name, too. */
    ofDashboard: new RegExp(
      `(?:${product})(?:s|${between})*(?:${offices})|(?:${offices})(?:${between})*(?:${product})`,
    ),
  };
}

const reserved = ["Pessoa apagada", "System", "Sistema", "Unknown", "Desconhecido"];

/** Whether nobody may choose this name: it looks like one of the others, like a reserved one, or like no person's. */
export function isNameTaken(name: string, others: readonly string[]): boolean {
  const look = lookOf(name);
  const { whole, office, ofDashboard } = refused();
  if (whole.has(look) || office.test(look) || ofDashboard.test(look)) return true;
  return others.some((other) => lookOf(other) === look);
}

/** Those whose names nobody else may take: they act at every partner. Checks no access. */
export async function staffPeople(executor: Executor): Promise<Person[]> {
  return executor
    .selectFrom("users")
    .select(["id", "name"])
    .where("staff_role", "is not", null)
    .execute();
}

type Person = { id: string; name: string };
type Called = Person & { email: string };

/** Who belongs to a partner. Checks no access. */
export async function membersOf(executor: Executor, partnerId: string): Promise<Called[]> {
  return (await members(executor, { partnerId })).rows;
}

const members = prepared((executor, { partnerId }: Bound<{ partnerId: string }>) =>
  executor
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["users.id", "users.name", "users.email"])
    .where("memberships.partner_id", "=", partnerId),
);

/**
 * The names to show for people: with the address behind a name that looks like another one's. Two people may have one
 * name if both had accounts before they met in a partner.
 */
export function namesAmong(people: readonly Called[]): (person: Called) => string {
  const owners = new Map<string, number>();
  for (const { name } of people) owners.set(lookOf(name), (owners.get(lookOf(name)) ?? 0) + 1);
  return ({ name, email }) =>
    (owners.get(lookOf(name)) ?? 0) < 2 || name === erasedPerson ? name : withAddress(name, email);
}

/**
 * The same for the people with these ids, who are named within a partner: compared with each other and its members.
 * Rows refer to people by id alone, so that each has one name, and erasing a person one place. Checks no access.
 */
export async function distinctNames(
  executor: Executor,
  partnerId: string,
  ids: Iterable<string | null>,
): Promise<(id: string) => string> {
  const wanted = new Set(ids);
  wanted.delete(null);
  if (wanted.size === 0) return () => erasedPerson;
  const people = (await peopleMet(executor, partnerId, wanted)).filter(
    ({ id, isMember }) => isMember || wanted.has(id),
  );
  const nameOf = namesAmong(people);
  const names = new Map(people.map((person) => [person.id, nameOf(person)]));
  return (id) => names.get(id) ?? erasedPerson;
}

type Met = Called & { isMember: boolean };

/** By partner and id. Anew for every call outside a page. */
const readForPage = cache((_partnerId: string) => new Map<string, Met>());

/**
 * These people, everybody who belongs to the partner, and whom else the page has met: it names people in several lists,
 * and reads them once. Checks no access.
 */
export async function peopleMet(
  executor: Executor,
  partnerId: string,
  ids: Iterable<string | null>,
): Promise<Met[]> {
  const read = executor.isTransaction ? new Map<string, Met>() : readForPage(partnerId);
  const put = (people: readonly Called[], isMember: boolean) => {
    for (const person of people) read.set(person.id, { ...person, isMember });
  };
  const wanted = [...ids];
  const missing = () => wanted.flatMap((id) => (id === null || read.has(id) ? [] : id));
  if (missing().length > 0 && read.size === 0) put(await membersOf(executor, partnerId), true);
  if (missing().length > 0) put(await peopleWith(executor, missing()), false);
  return [...read.values()];
}

async function peopleWith(executor: Executor, ids: readonly string[]): Promise<Called[]> {
  return executor
    .selectFrom("users")
    .select(["id", "name", "email"])
    .where("id", "in", ids)
    .execute();
}

function withAddress(name: string, email: string): string {
  return `${name} (${email})`;
}
