/** The preferences that a browser stores. */
export type Preference = "gancho-locale" | "gancho-theme" | "gancho-time-zone";

/**
 * On https its name begins as that of the session does, so that a browser takes it from this very host only. A leaf: the
 * browser writes it, the server reads it.
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
