import type { Dice } from "./dice";

/** Texts that are right somewhere, and texts that have broken programs before. */
const texts = [
  "",
  " ",
  "pix_in",
  "pix_out",
  "both",
  "sandbox",
  "production",
  "admin",
  "editor",
  "operator",
  "keep",
  "remove",
  "replace",
  "null",
  "undefined",
  "NaN",
  "0",
  "-1",
  "1e999",
  "https://hooks.example/pix",
  "https://127.0.0.1/",
  "https://[::1]:0/",
  "https://user:password@hooks.example/",
  "http://hooks.example/",
  "javascript:alert(1)",
  "Bearer value",
  "••••••••",
  "person@fuzz.example",
  "a@b",
  "11111111-1111-4111-8111-111111111111",
  "2026-01-01",
  "2026-13-45T99:99:99Z",
  "0001-01-01T00:00:00.000Z",
  "+275760-09-13T00:00:00.001Z",
  "../../etc/passwd",
  "%00",
  "%",
  "%ff%fe",
  "\u0000",
  "\r\nx-planted: 1",
  "\u202e\u2066",
  "\ud800",
  "🂡".repeat(60),
  "ﬀ①Ⅷ",
  "' OR 1=1 --",
  '"; drop table users; --',
  "*",
  "_",
  "\\",
  "<script>planted()</script>",
  "=1+1",
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "a".repeat(255),
  "a".repeat(256),
  "a".repeat(5_000),
  "é".repeat(2_000),
] as const;

export function anyText(dice: Dice): string {
  const text = texts[dice.under(texts.length)] ?? "";
  if (dice.oneIn(4)) return text + (texts[dice.under(texts.length)] ?? "");
  return text;
}

/** Any JSON value, most often a text; not deeper than `depth`. */
export function anyValue(dice: Dice, depth = 3): unknown {
  const kind = dice.under(depth > 0 ? 14 : 10);
  if (kind < 6) return anyText(dice);
  if (kind === 6) return dice.oneOf([0, -0, 1, -1, 0.1, 1e21, 2 ** 53, -(2 ** 31), 1e308]);
  if (kind === 7) return dice.oneIn(2);
  if (kind === 8) return null;
  if (kind === 9) return dice.under(100);
  if (kind < 12) return Array.from({ length: dice.under(4) }, () => anyValue(dice, depth - 1));
  return Object.fromEntries(
    Array.from({ length: dice.under(4) }, () => [anyText(dice), anyValue(dice, depth - 1)]),
  );
}
