import { runProgram } from "@/lib/cli/failure";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";
import { fontCharacters } from "./font-characters";

const folder = "components/layout/fonts";
const source = path.join(
  path.dirname(fileURLToPath(import.meta.resolve("geist/font/sans"))),
  "fonts",
);
const licence = fileURLToPath(new URL("../../node_modules/geist/LICENSE.txt", import.meta.url));

/**
 * `npm run subset-fonts`: the characters and weights that the screens use, out of the whole fonts. Anything else, in
 * names that people chose, is drawn in the system's font.
 */
await runProgram("The fonts cannot be cut", async () => {
  await mkdir(folder, { recursive: true });
  // The licence must accompany the fonts.
  await copyFile(licence, path.join(folder, "LICENSE.txt"));
  for (const { name, from, noLayoutClosure } of [
    // Figures of equal width are other glyphs of the same characters.
    { name: "sans", from: "geist-sans/Geist-Variable.woff2", noLayoutClosure: false },
    { name: "mono", from: "geist-mono/GeistMono-Variable.woff2", noLayoutClosure: true },
  ]) {
    const whole = await readFile(path.join(source, from));
    const cut = await subsetFont(whole, fontCharacters, {
      targetFormat: "woff2",
      noLayoutClosure,
      variationAxes: { wght: { min: 400, max: 600 } },
    });
    await writeFile(path.join(folder, `${name}.woff2`), cut);
    console.log(`${name}: ${whole.length} bytes, cut to ${cut.length}`);
  }
});
