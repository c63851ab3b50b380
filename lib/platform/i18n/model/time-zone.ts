/** The browser's time zone, so that the server can write dates as the reader counts them. Set by the browser. */
export const timeZoneCookie = "gancho-time-zone";

/** Used, and named beside each time, until the browser has sent its zone. */
const defaultTimeZone = "UTC";

const zonePattern = /^[A-Za-z][A-Za-z0-9_+/-]{0,63}$/;

/** The zone if this runtime knows it, else UTC. The input is an untrusted cookie. */
export function knownTimeZone(zone: string | undefined): string {
  if (!zone || !zonePattern.test(zone)) return defaultTimeZone;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone;
  } catch {
    return defaultTimeZone;
  }
}
