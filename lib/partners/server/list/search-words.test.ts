import { expect, test } from "vitest";
import { searchable, searchWords } from "./search-words";

const wordsOf = (...texts: string[]) =>
  searchable(...texts)
    .trim()
    .split(" ");

test("a text is split at everything but letters and digits, and folded", () => {
  expect(wordsOf("Farmácia  São-João 24h", "hooks.loja.com.br:8443")).toEqual([
    "farmacia",
    "sao",
    "joao",
    "24h",
    "hooks",
    "loja",
    "com",
    "br",
    "8443",
  ]);
});

test("a word counts once, and letters of any script count", () => {
  expect(wordsOf("Loja loja LOJA", "Ёлка 東京")).toEqual(["loja", "елка", "東京"]);
});

test("a huge name gives a limited number of words of limited length", () => {
  const words = wordsOf(Array.from({ length: 500 }, (_, i) => `w${i}`).join(" "), "x".repeat(500));
  expect(words).toHaveLength(40);
  expect(wordsOf("x".repeat(500))[0]).toHaveLength(60);
});

test("only the host of a pasted address counts", () => {
  expect(searchWords("https://Hooks.Loja.com.br/pix?x=1")).toEqual(["hooks", "loja", "com", "br"]);
  expect(searchWords("loja aurora")).toEqual(["loja", "aurora"]);
});

test("punctuation alone is no word", () => {
  expect(searchWords("%_' --")).toEqual([]);
});
