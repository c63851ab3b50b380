/** How long a password that was entered again counts, milliseconds; in its session only. */
export const passwordAgainMs = 5 * 60_000;
