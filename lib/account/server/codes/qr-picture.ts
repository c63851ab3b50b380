import "server-only";
import { encode } from "uqr";

/** Modules of white around the code: the least that ISO/IEC 18004 asks for. */
const quiet = 4;

/** A QR code as one SVG path, dark modules only, in a square of `size` modules; no style, no script. */
export function qrPicture(text: string): { size: number; path: string } {
  const { size, data } = encode(text, { ecc: "M", border: quiet });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")))
    .join("");
  return { size, path };
}
