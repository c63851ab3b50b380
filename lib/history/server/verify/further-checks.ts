import "server-only";
import type { Db } from "@/lib/platform/database/open";
import { checkPersonKeys } from "./person-keys";
import { checkApprovals } from "./signed-approvals";

/** Something else that is not what it should be. `what` completes "Aurora: …". */
export type CheckFinding = { chain: string; what: string };

/**
 * Further things that `verify-history` holds against the history, once the chains and the rows are judged: signatures
 * kept in entries, for example. `chains`: those that were asked for; null: all.
 */
export type FurtherCheck = (
  db: Db,
  chains: readonly string[] | null,
) => AsyncIterable<CheckFinding>;

export const furtherChecks: readonly FurtherCheck[] = [checkApprovals, checkPersonKeys];
