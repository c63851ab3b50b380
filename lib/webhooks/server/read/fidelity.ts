import "server-only";
import type { Database } from "@/lib/platform/database/schema";
import type { Transaction } from "kysely";

/**
 * Whether the service's list shows the Authorization value that was written. `proven`: a save's value was shown again.
 * `refuted`: something else, or nothing, was shown for it. The contract promises neither (2.2), and what is not the
 * value must never be written back as if it were.
 */
export type Fidelity = "proven" | "refuted" | "unknown";

export type Learned = { fidelity: "proven" | "refuted"; saveId: string | null };

/** For everybody in this environment at this base address, from now on: the list is the service's, not one partner's. */
export async function learnFidelity(
  trx: Transaction<Database>,
  { environment, connection }: { environment: string; connection: { baseUrl: string } },
  { fidelity, saveId }: Learned,
): Promise<void> {
  const learned = { fidelity, save_id: saveId, learned_at: Date.now() };
  await trx
    .insertInto("list_fidelity")
    .values({ environment, base_url: connection.baseUrl, ...learned })
    .onConflict((conflict) => conflict.columns(["environment", "base_url"]).doUpdateSet(learned))
    .execute();
}
