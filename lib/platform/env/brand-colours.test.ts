import { expect, it } from "vitest";
import { brandColours, contrast } from "./brand-colours";

const hex = (parts: readonly number[]) =>
  `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
const steps = [0, 51, 102, 153, 204, 255];
const accents = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => hex([r, g, b]))));

it("takes a colour that can be read, and otherwise names the nearest of its hue that can", () => {
  const taken = accents.filter((accent) => {
    const found = brandColours(accent);
    if (found.ok) return true;
    expect(contrast(accent, "#ffffff"), accent).toBeLessThan(5.5);
    expect(brandColours(found.nearest), found.nearest).toMatchObject({ ok: true });
    return false;
  });
  expect(taken).toEqual(expect.arrayContaining(["#000000", "#0000ff", "#006666", "#990000"]));
  expect(taken.length).toBeGreaterThan(60);
  expect(brandColours("#ffcc00")).toMatchObject({ ok: false });
});

it("can be read in both themes, for each colour that it takes or names", () => {
  for (const accent of accents) {
    const found = brandColours(accent);
    const colours = found.ok ? found : brandColours(found.nearest);
    if (!colours.ok) throw new Error(accent);
    const of = colours.colours;
    for (const theme of [0, 1] as const) {
      expect(contrast(of.brand[theme], of["brand-soft"][theme]), accent).toBeGreaterThan(4.5);
      expect(contrast(of["brand-ink"][theme], of.brand[theme]), accent).toBeGreaterThan(4.5);
      expect(contrast(of["brand-ink"][theme], of["brand-strong"][theme])).toBeGreaterThan(4.5);
    }
  }
});
