const longest = 40;

/** An id that a partner of this name could have, of whole words where one fits; empty while none can be made. */
export function idFromName(name: string): string {
  const whole = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (whole.length <= longest) return whole;
  const end = whole.lastIndexOf("-", longest);
  return whole.slice(0, end > 0 ? end : longest);
}
