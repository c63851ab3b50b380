import {
  preferenceCookieName,
  type Preference,
} from "@/lib/platform/i18n/model/preference-cookie-name";

/** A year, so that people who rarely come keep their preferences. */
const maxAgeSeconds = 60 * 60 * 24 * 365;

/** Stores a display preference in a cookie that the server can read. Null deletes it. Not for secrets. */
export function rememberPreference(preference: Preference, value: string | null): void {
  const isSecure = location.protocol === "https:";
  const name = preferenceCookieName(preference, isSecure);
  const age = value === null ? 0 : maxAgeSeconds;
  document.cookie = `${name}=${value ?? ""}; Path=/; Max-Age=${age}; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}
