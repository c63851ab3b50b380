const maxLength = 40;

/** Suggests a partner's id from its name, of whole words if they fit; empty if the name has no usable character. */
export function idFromName(name: string): string {
  const whole = name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (whole.length <= maxLength) return whole;
  const end = whole.lastIndexOf("-", maxLength);
  return whole.slice(0, end > 0 ? end : maxLength);
}
