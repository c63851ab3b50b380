import localFont from "next/font/local";

// One file each: a variable font of the weights in use, cut by `npm run subset-fonts`.

export const sans = localFont({
  src: "./sans.woff2",
  variable: "--font-geist-sans",
  weight: "400 600",
  // Only what every browser has: looking for others takes longer than drawing the text.
  fallback: ["sans-serif"],
});

export const mono = localFont({
  src: "./mono.woff2",
  variable: "--font-geist-mono",
  weight: "400 600",
  // Addresses and values use it, which not every page has: the browser fetches it on use.
  preload: false,
  adjustFontFallback: false,
  fallback: ["monospace"],
});
