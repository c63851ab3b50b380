import { expect, test } from "vitest";
import { negotiateLocale } from "./locale";

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
