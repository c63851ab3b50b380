/** For how long a password that was given again counts, milliseconds; in its own session only. */
export const passwordAgainMs = 5 * 60_000;
