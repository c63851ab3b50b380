import "server-only";
import type { SignedIn } from "@/lib/platform/access/viewer";
import type { StaffAccess } from "@/lib/platform/access/require";
import { people } from "@/lib/platform/secrets/model/people";
import { offeredActors, type OfferedActors } from "./actors";
import { countLongReading } from "@/lib/platform/limits/limits";
import { exportChain, type HistoryDownload } from "@/lib/history/server/export/export";
import { findEntries, criteriaOf } from "./find";
import { checkedItems, readChain, type HistoryPage } from "@/lib/history/server/verify/read-chain";
import type { Reader } from "@/lib/platform/i18n/reader";
import type { CheckedItem } from "@/lib/history/model/item";
import type { HistoryQuery } from "@/lib/history/model/query";

/** How many of their own entries a person sees. */
const maxOwnEntries = 20;

/**
 * One page of what the people of the installation did: sign-ins, refusals, passwords, codes, staff. Throws
 * `invalid_fields` for a cursor that was not issued for this.
 */
export async function readActivity(
  _access: StaffAccess<"installation.read">,
  query: HistoryQuery,
): Promise<HistoryPage> {
  return readChain(people, criteriaOf(query, "people"), query.cursor);
}

/** As `exportHistory`, of the people of the installation. Throws the problems of `readActivity`, and `too_many_requests`. */
export async function exportActivity(
  { viewer }: StaffAccess<"installation.read">,
  query: HistoryQuery & { format: "csv" | "json" },
  requestId: string,
  reader: Reader,
): Promise<HistoryDownload> {
  await countLongReading("exports", { person: viewer.id });
  return exportChain(
    { chainId: people, name: "activity", about: { people: true } },
    criteriaOf(query, "people"),
    { ...query, reader },
    { requestId, userId: viewer.id },
  );
}

/** Who acted last here, by name; people with the same name also have their address. */
export function activityActors(_access: StaffAccess<"installation.read">): Promise<OfferedActors> {
  return offeredActors(people);
}

/** The person's own newest entries, by or about them, newest first, however long ago. */
export async function readOwnActivity({ viewer }: SignedIn): Promise<CheckedItem[]> {
  const { rows } = await findEntries(people, { person: viewer.id }, null, maxOwnEntries);
  return checkedItems(people, rows);
}
