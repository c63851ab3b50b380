/** The cookie with the chosen theme; without it, the system decides. */
export const themeCookie = "gancho-theme";

export type Theme = "light" | "dark";

/** The chosen theme, for `data-theme` on <html>; undefined follows the system. The input is an untrusted cookie. */
export function knownTheme(value: string | undefined): Theme | undefined {
  return value === "light" || value === "dark" ? value : undefined;
}
