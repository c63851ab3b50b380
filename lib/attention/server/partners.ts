import "server-only";
import type { AttentionLine, AttentionPage } from "@/lib/attention/model/partners";
import type { PartnerLine, PartnerQuery } from "@/lib/partners/model/page";
import { listPartners } from "@/lib/partners/server/list/list";
import type { OwnAccount } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { attentionOf } from "./attention";

/** One page of the partners that this person may see, with what needs attention at each. */
export async function listWithAttention(
  account: Pick<OwnAccount, "viewer">,
  query: PartnerQuery,
): Promise<AttentionPage> {
  const page = await listPartners(account, query);
  return { ...page, partners: await withAttention(page.partners, page.environment) };
}

/** Checks no access. */
export async function withAttention(
  lines: readonly PartnerLine[],
  environment: string,
): Promise<AttentionLine[]> {
  const all = await attentionOf(
    db(),
    lines.map(({ id }) => id),
  );
  return lines.map((line) => ({
    ...line,
    attention: all.get(line.id)?.find((each) => each.environment === environment)?.items ?? [],
  }));
}
