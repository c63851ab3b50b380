/** In this order: most browsers also claim to be those further down. */
const browsers: readonly [RegExp, string][] = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
];

const systems: readonly [RegExp, string][] = [
  [/\bAndroid\b/, "Android"],
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

/** The browser and system in a User-Agent, for a person to recognise; anybody can write anything there. */
export function parseUserAgent(userAgent: string | null): {
  browser: string | null;
  system: string | null;
} {
  return { browser: first(browsers, userAgent ?? ""), system: first(systems, userAgent ?? "") };
}

function first(kinds: readonly [RegExp, string][], userAgent: string): string | null {
  return kinds.find(([pattern]) => pattern.test(userAgent))?.[1] ?? null;
}
