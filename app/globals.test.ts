import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./globals.css", import.meta.url), "utf8");

/** Each colour token as [light, dark]. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);/g)].map(
    ([, name = "", light = "", dark = ""]) => [name, [light, dark]] as const,
  ),
);

/** Text colour to background colours, as the primitives and screens combine them. */
const textOn: Record<string, string[]> = {
  ink: [
    "canvas",
    "surface",
    "sunken",
    "hover",
    "raised",
    "brand-soft",
    "ok-soft",
    "warn-soft",
    "bad-soft",
  ],
  "ink-2": ["canvas", "surface", "sunken", "hover", "raised"],
  "ink-3": ["canvas", "surface", "sunken", "hover"],
  surface: ["ink"],
  brand: ["canvas", "surface", "brand-soft"],
  "brand-ink": ["brand", "brand-strong"],
  in: ["in-soft"],
  out: ["out-soft"],
  ok: ["surface", "ok-soft"],
  warn: ["surface", "warn-soft"],
  bad: ["surface", "bad-soft"],
  "bad-ink": ["bad", "bad-strong"],
};

/** Colours that show where a control is, or that it has focus. */
const shapeOn: Record<string, string[]> = {
  "control-line": ["surface", "canvas"],
  focus: ["surface", "canvas", "sunken"],
};

function colour(name: string, theme: number): string {
  const value = tokens.get(name)?.[theme];
  if (!value) throw new Error(`no token --${name}`);
  return value;
}

/** Relative luminance, as WCAG 2.2 defines it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const tooClose = (pairs: Record<string, string[]>, minRatio: number) =>
  ["light", "dark"].flatMap((name, theme) =>
    Object.entries(pairs).flatMap(([front, backs]) =>
      backs
        .map((back) => ({ back, ratio: contrast(colour(front, theme), colour(back, theme)) }))
        .filter(({ ratio }) => ratio < minRatio)
        .map(({ back, ratio }) => `${name}: ${front} on ${back} ${ratio.toFixed(2)}`),
    ),
  );

test("all text can be read in both themes (WCAG 1.4.3, AA)", () => {
  expect(tooClose(textOn, 4.5)).toEqual([]);
});

test("controls and focus can be seen in both themes (WCAG 1.4.11)", () => {
  expect(tooClose(shapeOn, 3)).toEqual([]);
});
