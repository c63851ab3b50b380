import { canary } from "@/e2e/canaries/canary";

/*
 * The clients of the run's sandbox. Not in start.ts: every worker would load the single sign-on provider with it.
 */

/** Enough for a separate partner in every test, for each of the two databases of a run. */
export const clientCount = 2_000;

export type SandboxClient = { client_id: string; client_secret: string };

/** `next_secret`: the service takes it, too. */
export type E2eClient = SandboxClient & { next_secret: string };

export const clientAt = (index: number): E2eClient => ({
  client_id: `e2e-${String(index).padStart(4, "0")}`,
  client_secret: canary("client-secret", index),
  next_secret: canary("client-secret", clientCount + index),
});
