import { configure } from "@/lib/platform/database/testing/configure";
import { beforeAll, expect, it } from "vitest";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { isNameTaken, lookOf, namesAmong, ofNobody } from "./person-names";

beforeAll(() => configure({ BRAND_NAME: "Atlas Pagamentos" }));

it.each([
  ["case and spaces", "ANA  REIS", "ana reis"],
  ["Cyrillic", "Аnа Rеis", "Ana Reis"],
  ["Greek", "ΑNΑ", "Ana"],
  ["digits", "An4 Re1s 0", "An4 Reis O"],
  ["signs", "Ana-Reis.", "Ana Reis"],
  ["i, l and I", "AIana Lima", "Alana Iima"],
  ["rn and m", "Rornano", "Romano"],
  ["accents", "José", "Jose"],
  ["wide and bold letters", "Ａｎａ 𝐑𝐞𝐢𝐬", "Ana Reis"],
  ["small capitals", "ᴀɴᴀ", "Ana"],
  ["letters on squares", "🅰🅽🅰 🆁eis", "Ana Reis"],
  ["letters on circles", "🅐🅝a Ⓡeis", "Ana Reis"],
  ["letters of flags", "🇦na Reis", "Ana Reis"],
  ["letters in squares", "A⃞na 🅁eis", "Ana Reis"],
])("treats names as alike that differ by %s", (_by, one, other) => {
  expect(lookOf(one)).toBe(lookOf(other));
});

it("tells other names apart, in any script", () => {
  const names = ["Ana Silva", "Ana Souza", "João", "Joana", "李小龍", "李小明", "Андрей", "Сергей"];
  expect(new Set(names.map(lookOf)).size).toBe(names.length);
});

it.each(["Gancho", "Ganch0", "The Dashboard", "O painel", "Erased person", "Nobody here", "Admin"])(
  "lets nobody be called %s (threat: a history that names somebody else)",
  (name) => {
    expect(isNameTaken(name, [])).toBe(true);
    expect(isNameTaken(`${name} de Souza`, [])).toBe(false);
  },
);

it.each([
  "Gancho Support",
  "Suporte do Gancho",
  "Gan-cho 🆂🆄🅿🅿🅾🆁🆃",
  "Equipe de Segurança",
  "Ana, Gancho Security",
  "Gancho’s Team Rui",
  "Suporte",
  "Atlas Pagamentos",
  "Suporte Atlas",
  "Rui, equipe da Atlas Pagamentos",
])("lets nobody be called %s (threat: a request that seems to come from Gancho)", (name) => {
  expect(isNameTaken(name, [])).toBe(true);
});

it.each([
  "Cândida Vilares Gancho",
  "Gancho da Silva",
  "Rui Atlas",
  "Dado",
  "Ana do Carmo",
  "Central Park Ltda.",
  "Tim Helpman",
])("lets a person be called %s", (name) => expect(isNameTaken(name, [])).toBe(false));

it("puts the address behind names that could be taken for each other, and no others", () => {
  const person = (id: string, name: string) => ({ id, name, email: `${id}@x.example` });
  const [ana, anna, rui] = [person("1", "Ana"), person("2", "ANА"), person("3", "Rui")];
  const nameOf = namesAmong([ana, anna, rui]);
  expect([ana, anna, rui].map(nameOf)).toEqual(["Ana (1@x.example)", "ANА (2@x.example)", "Rui"]);
});

it("reserves the messages' names for actors who are not people", () => {
  const words = Object.values(messagesByLocale).flatMap(({ common, timeline, history: { by } }) => [
    common.erasedPerson,
    ...Object.values(common.roles),
    timeline.filters.outside,
    by.dashboard,
    by.nobodyKnown,
    by.terminal,
  ]);
  expect(ofNobody).toEqual(expect.arrayContaining(words));
});
