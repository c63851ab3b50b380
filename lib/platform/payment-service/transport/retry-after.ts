/** An hour: a service that asks for more is asked again by then all the same. */
const longest = 3_600;

/**
 * Whole seconds from a Retry-After header (RFC 9110, 10.2.3), between 0 and an hour; undefined where there is none or
 * it makes no sense. A date is measured against the service's own Date header, so that neither clock has to be right.
 */
export function retryAfterSeconds(
  retryAfter: string | undefined,
  date: string | undefined,
): number | undefined {
  const text = retryAfter?.trim() ?? "";
  if (/^\d+$/.test(text)) return Math.min(Number(text), longest);
  const seconds = (httpDate(text) - httpDate(date?.trim() ?? "")) / 1_000;
  if (Number.isNaN(seconds)) return undefined;
  return Math.min(Math.max(0, Math.ceil(seconds)), longest);
}

/** Milliseconds since 1970, or NaN. Date.parse alone would take "1" for a date. */
function httpDate(text: string): number {
  return /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)
    ? Date.parse(text)
    : NaN;
}
