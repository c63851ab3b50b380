import "server-only";
import { env } from "@/lib/platform/env/env";

/** Whether the provider's claim decides a membership: a change here would be undone at the next sign-in. */
export function isManaged({ managed }: { managed: number | null }): boolean {
  return managed === 1 && (env().oidc?.partners ?? null) !== null;
}
