/** In two groups of four, which is how people compare by eye. */
export function spacedFingerprint(fingerprint: string): string {
  return fingerprint.replace(/(.{4})(?=.)/g, "$1 ");
}
