import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { checkPersonKeys } from "./person-keys";

/** Another problem found. `what` completes "Aurora: …". */
type CheckFinding = { chain: string; what: string };

/**
 * Further checks of `verify-history`, after those of chains and rows. `chains`: the
 * ones to check; null: all.
 */
export type FurtherCheck = (
  db: Db,
  chains: readonly string[] | null,
) => AsyncIterable<CheckFinding>;

export const furtherChecks: readonly FurtherCheck[] = [checkPersonKeys];
