/** A save's ten seconds, shared among its steps. Monotonic: a jumping wall clock changes nothing. */
export type Deadline = { remaining: () => number };

export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms;
  return { remaining: () => Math.max(0, Math.round(end - performance.now())) };
}
