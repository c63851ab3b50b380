import { expect, it } from "vitest";
import { messagesByLocale } from "@/lib/platform/i18n/model/messages";
import { isNameTaken, lookOf, namesAmong, ofNobody } from "./person-names";

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
])("treats names as alike that differ by %s", (_by, one, other) => {
  expect(lookOf(one)).toBe(lookOf(other));
});

it("tells other names apart, in any script", () => {
  const names = ["Ana Silva", "Ana Souza", "João", "Joana", "李小龍", "李小明", "Андрей", "Сергей"];
  expect(new Set(names.map(lookOf)).size).toBe(names.length);
});

it.each(["Gancho", "Ganch0", "Erased person", "Unknown client", "Admin"])(
  "lets nobody be called %s (threat: a history that names somebody else)",
  (name) => {
    expect(isNameTaken(name)).toBe(true);
    expect(isNameTaken(`${name} de Souza`)).toBe(false);
  },
);

it("puts the address behind names that could be taken for each other, and no others", () => {
  const person = (id: string, name: string) => ({ id, name, email: `${id}@x.example` });
  const [ana, anna, rui] = [person("1", "Ana"), person("2", "ANА"), person("3", "Rui")];
  const nameOf = namesAmong([ana, anna, rui]);
  expect([ana, anna, rui].map(nameOf)).toEqual(["Ana (1@x.example)", "ANА (2@x.example)", "Rui"]);
  // As an entry of the history has it from before.
  expect(namesAmong([ana, rui], [{ id: "3", name: "Ana" }])({ id: "3", name: "Ana" })).toBe(
    "Ana (3@x.example)",
  );
});

it("reserves the messages' names for Gancho and for actors who are not people", () => {
  const words = Object.values(messagesByLocale).flatMap(({ common, history: { by } }) => [
    common.product,
    common.erasedPerson,
    ...Object.values(common.roles),
    by.outside,
    by.outsideHint,
    by.gancho,
    by.nobodyKnown,
    by.terminal,
  ]);
  expect(new Set(ofNobody)).toEqual(new Set(words));
});
