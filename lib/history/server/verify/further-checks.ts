import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { checkPersonKeys } from "./person-keys";
import { checkApprovals } from "./signed-approvals";

/** Another problem found. `what` completes "Aurora: …". */
type CheckFinding = { chain: string; what: string };

/**
 * Further checks of `verify-history`, after those of chains and rows: signatures in entries, for example. `chains`: the
 * ones to check; null: all.
 */
export type FurtherCheck = (
  db: Db,
  chains: readonly string[] | null,
) => AsyncIterable<CheckFinding>;

export const furtherChecks: readonly FurtherCheck[] = [checkApprovals, checkPersonKeys];
