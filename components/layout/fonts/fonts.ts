import localFont from "next/font/local";

// One file per family: a variable font with only the weights in use, made by `npm run subset-fonts`. Neither is
// preloaded: a browser delays the first paint for a preloaded font.

export const sans = localFont({
  src: "./sans.woff2",
  variable: "--font-geist-sans",
  weight: "400 600",
  preload: false,
  // Only a generic family: looking up named ones takes longer than rendering the text.
  fallback: ["sans-serif"],
});

export const mono = localFont({
  src: "./mono.woff2",
  variable: "--font-geist-mono",
  weight: "400 600",
  preload: false,
  adjustFontFallback: false,
  fallback: ["monospace"],
});
