import localFont from "next/font/local";

// One file each: a variable font of the weights in use, cut by `npm run subset-fonts`. Neither is preloaded: on a slow
// network a font on its way delays the page itself, and the page is drawn in a font of the same measures until then.

export const sans = localFont({
  src: "./sans.woff2",
  variable: "--font-geist-sans",
  weight: "400 600",
  preload: false,
  fallback: ["ui-sans-serif", "system-ui", "sans-serif"],
});

export const mono = localFont({
  src: "./mono.woff2",
  variable: "--font-geist-mono",
  weight: "400 600",
  preload: false,
  adjustFontFallback: false,
  fallback: ["ui-monospace", "monospace"],
});
