import "server-only";
import { requireRoom } from "@/lib/platform/limits/limits";

/**
 * A service may lock an API user out that keeps coming with a wrong secret, and each check is a call of its own,
 * whatever is remembered. Ten a minute for each partner: enough for a person who tries, too few to guess.
 * Throws `too_many_requests`.
 */
export async function takeCheckTurn(partnerId: string): Promise<void> {
  await requireRoom([{ key: `checks of ${partnerId}`, most: 10, seconds: 60 }]);
}
