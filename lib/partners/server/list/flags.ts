import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";
import { partnerStatuses, type PartnerStatus } from "@/lib/partners/model/filter";

/** The facts that decide by which statuses the list finds a partner. */
type FlagFacts = {
  suspended: boolean;
  overviews: readonly {
    environment: string;
    confirmed: boolean;
    hosts: Record<WebhookType, string | null>;
    withoutAuthorization: readonly WebhookType[];
    failing: boolean;
  }[];
};

/** The statuses in the index: unacknowledged changes are the watch's, which would write here with each reading. */
type FlaggedStatus = Exclude<PartnerStatus, "changed_outside">;

/** A status as a term of the index; no word begins with its sign. All but suspension belong to one environment. */
export function flagOf(status: FlaggedStatus, environment: string): string {
  return status === "suspended" ? "#suspended" : `#${status}:${environment}`;
}

export function flagsOf({ suspended, overviews }: FlagFacts): string[] {
  const flags = overviews.flatMap((overview) =>
    flaggedStatuses
      .filter((status) => hasStatus(status, overview))
      .map((status) => flagOf(status, overview.environment)),
  );
  return suspended ? [...flags, flagOf("suspended", "")] : flags;
}

const flaggedStatuses = partnerStatuses.filter((status) => status !== "changed_outside");

function hasStatus(status: FlaggedStatus, overview: FlagFacts["overviews"][number]): boolean {
  switch (status) {
    case "type_missing":
      return overview.confirmed && webhookTypes.some((type) => overview.hosts[type] === null);
    case "no_authorization":
      return overview.withoutAuthorization.length > 0;
    case "failing":
      return overview.failing;
    case "suspended":
      return false;
  }
}

/** How many partners have this status; all but suspension belong to one environment. */
export async function countFlagged(
  executor: Executor,
  status: FlaggedStatus,
  environment: string,
): Promise<number> {
  const { count } = await executor
    .selectFrom("partner_terms")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("term", "=", flagOf(status, environment))
    .executeTakeFirstOrThrow();
  return count;
}
