import { readFileSync } from "node:fs";
import { brandColours, contrast } from "@/lib/platform/env/brand-colours";
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

type Tokens = ReadonlyMap<string, readonly [string, string]>;

function colour(name: string, theme: number, of: Tokens): string {
  const value = of.get(name)?.[theme];
  if (!value) throw new Error(`no token --${name}`);
  return value;
}

const tooClose = (pairs: Record<string, string[]>, minRatio: number, of: Tokens = tokens) =>
  ["light", "dark"].flatMap((name, theme) =>
    Object.entries(pairs).flatMap(([front, backs]) =>
      backs
        .map((back) => ({
          back,
          ratio: contrast(colour(front, theme, of), colour(back, theme, of)),
        }))
        .filter(({ ratio }) => ratio < minRatio)
        .map(({ back, ratio }) => `${name}: ${front} on ${back} ${ratio.toFixed(2)}`),
    ),
  );

test("all text can be read in both themes (WCAG 1.4.3, AA)", () => {
  expect(tooClose(textOn, 4.5)).toEqual([]);
});

test("so can the operator's accent, beside all other colours", () => {
  for (const accent of ["#000000", "#0000ff", "#990000", "#0a7c2f", "#6b21a8", "#896c02"]) {
    const found = brandColours(accent);
    if (!found.ok) throw new Error(`${accent}: ${found.nearest}`);
    const branded = new Map([...tokens, ...Object.entries(found.colours)]);
    expect(tooClose(textOn, 4.5, branded), accent).toEqual([]);
    expect(tooClose(shapeOn, 3, branded), accent).toEqual([]);
  }
});

test("controls and focus can be seen in both themes (WCAG 1.4.11)", () => {
  expect(tooClose(shapeOn, 3)).toEqual([]);
});
