/** In two groups of four, which is how people compare by eye; the groups stay on one line. */
export function spacedFingerprint(fingerprint: string): string {
  return fingerprint.replace(/(.{4})(?=.)/g, "$1\u00a0");
}
