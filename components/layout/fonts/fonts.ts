import localFont from "next/font/local";

// One file per family: a variable font with only the weights in use, made by `npm run subset-fonts`.

export const sans = localFont({
  src: "./sans.woff2",
  variable: "--font-geist-sans",
  weight: "400 600",
  // Only a generic family: looking up named ones takes longer than rendering the text.
  fallback: ["sans-serif"],
});

export const mono = localFont({
  src: "./mono.woff2",
  variable: "--font-geist-mono",
  weight: "400 600",
  // Not every page shows addresses or values, so the browser fetches this font on use.
  preload: false,
  adjustFontFallback: false,
  fallback: ["monospace"],
});
