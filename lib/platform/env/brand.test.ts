import { readBrand } from "./brand";
import { svgFault } from "./brand-images";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";

const square =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><rect width="9" height="9"/></svg>';
const drawing = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 9 9">${inside}</svg>`;
const png = Buffer.from("89504e470d0a1a0a0000", "hex");

function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(path.join(tmpdir(), "gancho-brand-"));
  for (const [file, content] of Object.entries(files))
    writeFileSync(path.join(folder, file), content);
  return folder;
}

it("is Gancho's own where nothing is set", () => {
  expect(readBrand({})).toEqual({
    brand: { name: "Gancho", colours: null, images: {}, links: {} },
    problems: [],
  });
});

it("has the operator's pictures, and a letter on the accent in place of an icon", () => {
  const BRAND_DIR = folderWith({ "logo.svg": square, "logo-dark.png": png, "notes.txt": "" });
  const { brand, problems } = readBrand({ BRAND_NAME: "Ágil", BRAND_ACCENT: "#990000", BRAND_DIR });
  expect(problems).toEqual([]);
  expect(brand.images).toMatchObject({
    logo: { type: "image/svg+xml" },
    "logo-dark": { type: "image/png" },
  });
  const icon = Buffer.from(brand.images.icon?.bytes ?? []).toString();
  expect(icon).toContain(">Á</text>");
  expect(icon).toContain("#990000");
  expect(svgFault(icon)).toBeNull();
});

it("refuses a colour that cannot be read, and says which can", () => {
  expect(readBrand({ BRAND_ACCENT: "#ffcc00" }).problems).toEqual([
    "BRAND_ACCENT cannot be read on white: set #896c02, the nearest that can",
  ]);
});

it.each([
  ["no folder", () => "/nowhere", "is not a folder that can be read"],
  ["an empty one", () => folderWith({}), "has neither a logo nor an icon"],
  ["two logos", () => folderWith({ "logo.svg": square, "logo.png": png }), "leave one of them"],
  ["another kind", () => folderWith({ "logo.jpg": "x" }), "give it as .svg or .png"],
  ["what is no PNG", () => folderWith({ "logo.png": "GIF89a" }), "which is no PNG"],
  ["a large one", () => folderWith({ "logo.png": Buffer.alloc(300_000) }), "200 KB at most"],
  ["a script", () => folderWith({ "logo.svg": drawing("<script/>") }), "has a script element"],
  ["only a dark one", () => folderWith({ "logo-dark.svg": square, "icon.svg": square }), "no logo"],
])("refuses %s in BRAND_DIR", (_, folder, words) => {
  const { problems } = readBrand({ BRAND_DIR: folder() });
  expect(problems).toEqual([expect.stringContaining(words)]);
  expect(problems[0]).toMatch(/^BRAND_DIR /);
});

it.each([
  "<script>alert(1)</script>",
  "<SCRIPT/>",
  '<rect onload="alert(1)"/>',
  '<rect ONCLICK = "x"/>',
  "<foreignObject/>",
  "<iframe/>",
  "<animate/>",
  "<set/>",
  '<a href="#x"/>',
  '<image href="https://evil.example/x.png"/>',
  '<use href="https://evil.example/x.svg#a"/>',
  "<use xlink:href='other.svg#a'/>",
  '<use href=" #a"/>',
  '<rect fill="url(https://evil.example/x)"/>',
  '<rect style="fill:url(//evil.example)"/>',
  '<rect style="fill:\\75rl(//evil.example)"/>',
  '<rect fill="&#117;rl(//evil.example)"/>',
  '<rect xml:base="https://evil.example/"/>',
  "<style>@import 'https://evil.example/x.css';</style>",
  "<style>rect{fill:url('https://evil.example')}</style>",
  "<style>rect{}</style><style>rect{fill:url(x)}</style>",
  "<style><![CDATA[@import 'x';]]></style>",
  "<style>.a{background:image-set('//evil.example/x' 1x)}</style>",
  '<g style="background:-webkit-image-set(&quot;//evil.example/x&quot; 1x)"/>',
  "<style>.a{mask:src('//evil.example/x')}</style>",
  "<style>@imp<!-- -->ort '//evil.example/x';</style>",
  "<style><g/>@import '//evil.example/x';</style>",
  "<style><g></g>@import '//evil.example/x';</style>",
  '<?xml-stylesheet href="https://evil.example/x.css"?>',
  '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>',
  "<html:script/>",
  "<rect",
])("refuses a drawing with %s (threat: a logo that runs or loads something)", (inside) => {
  expect(svgFault(drawing(inside))).not.toBeNull();
});

it.each([
  square,
  `<?xml version="1.0" encoding="UTF-8"?>\n<!-- Made by hand -->\n${square}\n`,
  drawing(
    '<defs><linearGradient id="a"><stop offset="0" stop-color="#fff"/></linearGradient></defs><path d="M0 0h9" fill="url(#a)" style="stroke:url(\'#a\')"/>',
  ),
  drawing(
    "<style/><style>.a:not(.b){fill:rgb(255 0 0)}</style><g class='a' transform='translate(1 2) rotate(9)'><use href='#b'/><title>Pix &amp; Co</title></g>",
  ),
])("takes %s", (drawn) => {
  expect(svgFault(drawn)).toBeNull();
});

it.each(["", "<html/>", '<svg xmlns="http://www.w3.org/2000/svg"/>'])("refuses %j", (text) => {
  expect(svgFault(text)).not.toBeNull();
});
