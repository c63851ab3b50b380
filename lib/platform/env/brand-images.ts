import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** A picture of the operator's, as it is served. */
export type BrandImage = {
  type: "image/svg+xml" | "image/png";
  bytes: Uint8Array<ArrayBuffer>;
  /** Changes with the bytes, so that browsers may keep them for good. */
  version: string;
};

/** `logo` stands for the name, `logo-dark` does so in the dark theme, `icon` in a browser's tab. */
export const imageNames = ["logo", "logo-dark", "icon"] as const;
export type BrandImages = Partial<Record<(typeof imageNames)[number], BrandImage>>;

const mostBytes = 200_000;

/** The pictures in a folder, or what is wrong with them, each as the end of a sentence that begins with `BRAND_DIR`. */
export function readBrandImages(folder: string): { images: BrandImages; problems: string[] } {
  const images: BrandImages = {};
  const problems: string[] = [];
  let files: string[];
  try {
    files = readdirSync(folder);
  } catch {
    return { images, problems: ["is not a folder that can be read: set the path of one"] };
  }
  for (const name of imageNames) {
    const found = files.filter((file) => path.parse(file).name === name);
    const [file] = found;
    if (file === undefined) continue;
    const bytes = found.length === 1 ? readFileSync(path.join(folder, file)) : Buffer.alloc(0);
    const fault =
      found.length > 1
        ? `has ${found.join(" and ")}: leave one of them`
        : faultOf(path.extname(file), bytes, file);
    if (fault === null) images[name] = imageOf(file.endsWith(".svg"), bytes);
    else problems.push(fault);
  }
  if (problems.length === 0 && !images.logo && !images.icon)
    problems.push(
      "has neither a logo nor an icon: put logo.svg or logo.png into it, or leave it out",
    );
  if (images["logo-dark"] && !images.logo)
    problems.push("has logo-dark and no logo: put logo.svg or logo.png beside it");
  return { images, problems };
}

/** A letter on the accent, where the operator has no icon: a tab must not show another product's. */
export function letterIcon(name: string, accent: string, ink: string): BrandImage {
  const letter = [...name.trim()][0]?.toLocaleUpperCase() ?? "";
  const escaped = letter.replace(/[&<]/g, (sign) => (sign === "&" ? "&amp;" : "&lt;"));
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">' +
    `<rect width="24" height="24" rx="6" fill="${accent}"/>` +
    `<text x="12" y="17" text-anchor="middle" font-family="system-ui,sans-serif" font-size="14" font-weight="600" fill="${ink}">${escaped}</text></svg>`;
  return imageOf(true, Buffer.from(svg));
}

function imageOf(isSvg: boolean, bytes: Buffer): BrandImage {
  return {
    type: isSvg ? "image/svg+xml" : "image/png",
    bytes: new Uint8Array(bytes),
    version: createHash("sha256").update(bytes).digest("hex").slice(0, 12),
  };
}

const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function faultOf(ending: string, bytes: Buffer, file: string): string | null {
  if (bytes.length > mostBytes)
    return `has ${file} of ${Math.ceil(bytes.length / 1000)} KB: make it ${mostBytes / 1000} KB at most`;
  if (ending === ".png")
    return bytes.subarray(0, 8).equals(pngStart)
      ? null
      : `has ${file}, which is no PNG: save it as one`;
  if (ending !== ".svg") return `has ${file}: give it as .svg or .png`;
  const fault = svgFault(bytes.toString("utf8"));
  return (
    fault && `has ${file}, ${fault}: save it as plain SVG, without scripts and outside references`
  );
}

const elements = new Set(
  (
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan title desc style " +
    "linearGradient radialGradient stop clipPath mask pattern filter feGaussianBlur feOffset feBlend feFlood " +
    "feColorMatrix feComposite feMerge feMergeNode"
  ).split(" "),
);

/** One piece of a document, in order: a comment, the XML declaration, a tag with its attributes, or text. */
const piece =
  /<!--[^]*?-->|<\?xml\s[^>]*\?>|<(\/?)([A-Za-z][\w:.-]*)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*\/?>|[^<]+/y;

/**
 * What in a drawing could run, or load something: pictures on pages can do neither, and a person may open its address.
 * Only what drawings consist of passes, so that nothing has to be known to be dangerous. null where nothing is wrong.
 */
export function svgFault(text: string): string | null {
  piece.lastIndex = 0;
  let isFirst = true;
  let within = "";
  while (piece.lastIndex < text.length) {
    const at = piece.lastIndex;
    const found = piece.exec(text);
    if (!found) return `which is not plain SVG at character ${at + 1}`;
    const [whole, end, element, attributes = ""] = found;
    // A browser joins the texts in a style: what is between them could part what loads something.
    if (within === "style" && whole.startsWith("<") && !(end && element === "style"))
      return "which has a style with more than text in it";
    if (element === undefined) {
      if (within === "style" && isLoading(whole)) return "which has a style that loads something";
      continue;
    }
    if (isFirst && (element !== "svg" || !/\sviewBox\s*=/.test(attributes)))
      return "which does not begin with an svg element that has a viewBox";
    isFirst = false;
    if (!elements.has(element)) return `which has a ${element} element`;
    within = end || whole.endsWith("/>") ? "" : element;
    for (const [, name = "", quoted = ""] of attributes.matchAll(
      /([\w:.-]+)\s*=\s*("[^"]*"|'[^']*')/g,
    )) {
      const value = quoted.slice(1, -1);
      if (/^on/i.test(name)) return `which has ${name}, a script`;
      if (/(?:^|:)(?:href|base|src)$/i.test(name) && !value.startsWith("#"))
        return `which refers to something outside it in ${name}`;
      if (!name.startsWith("xmlns") && isLoading(value))
        return `which refers to something outside it in ${name}`;
    }
  }
  return isFirst ? "which is empty" : null;
}

/** What drawings call in styles and attributes: transforms, colours, numbers, filters, selectors. None loads anything. */
const functions = new Set(
  (
    "matrix matrix3d translate translatex translatey scale scalex scaley rotate skewx skewy rgb rgba hsl hsla hwb " +
    "lab lch oklab oklch color color-mix calc min max clamp var blur brightness contrast drop-shadow grayscale " +
    "hue-rotate invert opacity saturate sepia circle ellipse inset path polygon cubic-bezier steps not is where has " +
    "nth-child nth-of-type"
  ).split(" "),
);

/** Only `url(#…)` stays inside; a backslash or a character reference could hide another. */
function isLoading(value: string): boolean {
  if (/\\|&#|@import|url\(\s*["']?(?!["'#])|(?:javascript|data|https?):/i.test(value)) return true;
  const called = value.matchAll(/([\w-]+)\(/g);
  return Array.from(called, ([, name = ""]) => name.toLowerCase()).some(
    (name) => name !== "url" && !functions.has(name),
  );
}
