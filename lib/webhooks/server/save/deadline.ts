/** A save's ten seconds, shared among its steps. Monotonic: a jumping wall clock changes nothing. */
export type Deadline = {
  /** On `performance.now()`. */
  endsAt: number;
  remaining: () => number;
};

export function deadlineIn(ms: number): Deadline {
  const endsAt = performance.now() + ms;
  return { endsAt, remaining: () => Math.max(0, Math.round(endsAt - performance.now())) };
}
