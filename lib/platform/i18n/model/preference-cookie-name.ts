/** The preferences that a browser stores. */
export type Preference =
  "gancho-environment" | "gancho-locale" | "gancho-theme" | "gancho-time-zone";

/**
 * On https it has the session cookie's `__Host-` prefix, so that a browser accepts it from this host alone. The browser
 * writes it, the server reads it.
 */
export function preferenceCookieName(preference: Preference, isSecure: boolean): string {
  return isSecure ? `__Host-${preference}` : preference;
}

type Jar = { get: (name: string) => { value: string } | undefined };

/** Under either name: the value is checked against the known values, so planting one gains nothing. */
export function preferenceIn(jar: Jar, preference: Preference): string | undefined {
  const [secure, plain] = [true, false].map((isSecure) =>
    jar.get(preferenceCookieName(preference, isSecure)),
  );
  return (secure ?? plain)?.value;
}
