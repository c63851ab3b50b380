/** The colours that follow from the operator's one: [light, dark], by the names of app/globals.css. */
export type BrandColours = Record<
  "brand" | "brand-strong" | "brand-ink" | "brand-soft" | "brand-line" | "focus",
  readonly [light: string, dark: string]
>;

/** What text in these colours stands on, besides `brand-soft`: `canvas` and `surface` of app/globals.css. */
const behind = [
  ["#f7f8f8", "#ffffff"],
  ["#0c1110", "#131a19"],
] as const;

/** WCAG 2.2, AA, for text of this size. */
const readable = 4.5;

/** Lightness, chroma and hue (radians) of OKLCH, in which equal steps look equal. */
type Lch = { l: number; c: number; h: number };

/**
 * The light theme has the accent itself, the dark one a lighter colour of its hue. Where text in the accent, or white
 * on it, could not be read: the nearest colour that can be.
 */
export function brandColours(
  accent: string,
): { ok: true; colours: BrandColours } | { ok: false; nearest: string } {
  if (isReadable(pairs(accent))) return { ok: true, colours: pairs(accent) };
  const { l, ...hue } = lchOf(accent);
  for (let darker = l; ; darker -= 0.002) {
    const nearest = hexOf({ l: darker, ...hue });
    if (isReadable(pairs(nearest))) return { ok: false, nearest };
  }
}

function pairs(accent: string): BrandColours {
  const { l, c, h } = lchOf(accent);
  const tint = (lightness: number, most: number) =>
    hexOf({ l: lightness, c: Math.min(c, most), h });
  const dark = Math.max(l, 0.76);
  return {
    brand: [accent, tint(dark, 0.15)],
    // What is pressed must differ: a colour near black can only become lighter.
    "brand-strong": [hexOf({ l: l < 0.3 ? l + 0.1 : l - 0.07, c, h }), tint(dark + 0.07, 0.12)],
    "brand-ink": ["#ffffff", tint(0.22, 0.04)],
    "brand-soft": [tint(0.965, 0.02), tint(0.27, 0.04)],
    "brand-line": [tint(0.86, 0.06), tint(0.4, 0.06)],
    focus: [accent, tint(dark, 0.15)],
  };
}

function isReadable(colours: BrandColours): boolean {
  return ([0, 1] as const).every((theme) => {
    const of = (name: keyof BrandColours) => colours[name][theme];
    return (
      [...behind[theme], of("brand-soft")].every(
        (back) => contrast(of("brand"), back) >= readable,
      ) &&
      [of("brand"), of("brand-strong")].every((back) => contrast(of("brand-ink"), back) >= readable)
    );
  });
}

/** As WCAG 2.2 defines it: 1 to 21. */
export function contrast(one: string, other: string): number {
  const [a, b] = [luminance(one), luminance(other)];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function luminance(hex: string): number {
  const [r, g, b] = linearOf(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

type Triple = [number, number, number];

function linearOf(hex: string): Triple {
  return [1, 3, 5].map((at) => {
    const c = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  }) as Triple;
}

/** https://bottosson.github.io/posts/oklab/ */
function lchOf(hex: string): Lch {
  const [r, g, b] = linearOf(hex);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const [x, y] = [
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
  return {
    l: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    c: Math.hypot(x, y),
    h: Math.atan2(y, x),
  };
}

function rgbOf({ l: lightness, c, h }: Lch): Triple {
  const [x, y] = [c * Math.cos(h), c * Math.sin(h)];
  const l = (lightness + 0.3963377774 * x + 0.2158037573 * y) ** 3;
  const m = (lightness - 0.1055613458 * x - 0.0638541728 * y) ** 3;
  const s = (lightness - 0.0894841775 * x - 1.291485548 * y) ** 3;
  return [
    4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
    -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
    -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s,
  ];
}

/** The colour on a screen, with as much of its chroma as a screen has at that lightness. */
function hexOf({ l, c, h }: Lch): string {
  const lightness = Math.min(1, Math.max(0, l));
  let chroma = c;
  const exists = () =>
    rgbOf({ l: lightness, c: chroma, h }).every((part) => part > -0.0005 && part < 1.0005);
  while (chroma > 0 && !exists()) chroma = Math.max(0, chroma - 0.002);
  const digits = rgbOf({ l: lightness, c: chroma, h }).map((part) => {
    const linear = Math.min(1, Math.max(0, part));
    const c8 = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(c8 * 255)
      .toString(16)
      .padStart(2, "0");
  });
  return `#${digits.join("")}`;
}
