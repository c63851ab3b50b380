import { expect, test } from "vitest";
import { mailLocales, negotiateLocale } from "./locale";

test.each<[why: string, cookie: string | undefined, header: string | null | undefined, string]>([
  ["a chosen language wins over the browser's", "pt-BR", "en-US,en;q=0.9", "pt-BR"],
  ["a chosen language wins over the browser's", "en", "pt-BR", "en"],
  ["a cookie that names no language of ours is ignored", "xx", "pt-BR", "pt-BR"],
  ["a cookie that names no language of ours is ignored", "__proto__", null, "en"],
  ["a cookie that names no language of ours is ignored", "PT-br", null, "en"],
  ["the order is by weight, not by place", undefined, "en;q=0.5, pt-BR;q=0.9", "pt-BR"],
  ["the order is by weight, not by place", undefined, "fr, pt;q=0.8, en;q=0.9", "en"],
  ["every Portuguese gets Brazilian Portuguese", undefined, "pt-PT", "pt-BR"],
  ["every Portuguese gets Brazilian Portuguese", undefined, "PT", "pt-BR"],
  ["every English gets English", undefined, "en-GB,pt;q=0.1", "en"],
  ["a weight of zero refuses a language", undefined, "en;q=0, pt-BR;q=0.1", "pt-BR"],
  ...[null, undefined, "", "*", ";;;,,,", "pt;q=abc", "x".repeat(9_000)].map(
    (header): [string, undefined, typeof header, string] => [
      "nothing, nonsense or a language we do not speak gets English",
      undefined,
      header,
      "en",
    ],
  ),
])("%s: %j, %j", (_why, cookie, header, locale) => {
  expect(negotiateLocale(cookie, header)).toBe(locale);
});

test("a browser that asks for no language of ours gets the installation's", () => {
  expect(negotiateLocale(undefined, "fr", "pt-BR")).toBe("pt-BR");
  expect(negotiateLocale(undefined, "en", "pt-BR")).toBe("en");
  expect(negotiateLocale("en", null, "pt-BR")).toBe("en");
});

test.each([
  ["en", "pt-BR", ["en"]],
  ["all", "pt-BR", ["en", "pt-BR"]],
  [null, "pt-BR", ["pt-BR"]],
  [null, null, ["en", "pt-BR"]],
  ["xx", null, ["en", "pt-BR"]],
] as const)(
  "a mail to a person who chose %j, where the default is %j, is in %j",
  (chosen, installation, locales) => {
    expect(mailLocales(chosen, installation)).toEqual(locales);
  },
);
