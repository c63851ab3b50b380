/** Joins class names. Later classes do not override earlier ones: give each element one source of each property. */
export function cn(...classes: (string | false | null | undefined)[]): string {
  return classes.filter(Boolean).join(" ");
}
