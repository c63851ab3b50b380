import "server-only";

/** Has what is due sent soon, by this process if it may. */
export function wakeSender(): void {}
