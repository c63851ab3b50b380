import "server-only";
import { saveOutcomes } from "@/lib/history/model/outcomes";
import { findNewest } from "./find";
import { presentRows } from "./present-row";

/** How many a screen shows at once. */
const shown = 5;

/**
 * The newest outcomes of saves, changes made outside Gancho and revealed values, newest first, each with its detail
 * beside its columns; skips entries of another shape. The answer's schema chooses what of it the browser gets. Takes
 * the partner's id on trust: call `requirePartner` first.
 */
export async function recentChanges(partnerId: string, environment: string) {
  const criteria = {
    environment,
    kinds: ["save", "changed_outside", "shown_again", "authorization_reveal"],
    outcomes: [...saveOutcomes, "seen", "revealed"],
  };
  const rows = await findNewest(partnerId, criteria, shown);
  // Without the client addresses, which nobody sees here.
  const items = await presentRows(
    partnerId,
    rows.map((row) => ({ ...row, client_address: null })),
  );
  return items.flatMap(({ detail, ...columns }) =>
    detail === null ? [] : [{ ...columns, changes: [], reason: null, ...detail }],
  );
}
