import { expect, test } from "vitest";
import { negotiateLocale } from "./locale";

test("a chosen language wins over the browser's", () => {
  expect(negotiateLocale("pt-BR", "en-US,en;q=0.9")).toBe("pt-BR");
  expect(negotiateLocale("en", "pt-BR")).toBe("en");
});

test("a cookie that names no language of ours is ignored", () => {
  expect(negotiateLocale("xx", "pt-BR")).toBe("pt-BR");
  expect(negotiateLocale("__proto__", null)).toBe("en");
  expect(negotiateLocale("PT-br", null)).toBe("en");
});

test("the browser's order is by weight, not by place", () => {
  expect(negotiateLocale(undefined, "en;q=0.5, pt-BR;q=0.9")).toBe("pt-BR");
  expect(negotiateLocale(undefined, "fr, pt;q=0.8, en;q=0.9")).toBe("en");
});

test("every Portuguese gets Brazilian Portuguese, every English gets English", () => {
  expect(negotiateLocale(undefined, "pt-PT")).toBe("pt-BR");
  expect(negotiateLocale(undefined, "PT")).toBe("pt-BR");
  expect(negotiateLocale(undefined, "en-GB,pt;q=0.1")).toBe("en");
});

test("a weight of zero refuses a language", () => {
  expect(negotiateLocale(undefined, "en;q=0, pt-BR;q=0.1")).toBe("pt-BR");
});

test("nothing, nonsense or a language we do not speak gets English", () => {
  for (const header of [null, undefined, "", "*", ";;;,,,", "pt;q=abc", "x".repeat(9_000)]) {
    expect(negotiateLocale(undefined, header)).toBe("en");
  }
});
