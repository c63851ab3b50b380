import "server-only";
import type { AttentionItem } from "@/lib/attention/model/answer";
import type { AttentionLine, AttentionPage } from "@/lib/attention/model/partners";
import type { PartnerLine, PartnerQuery } from "@/lib/partners/model/page";
import { listPartners } from "@/lib/partners/server/list/list";
import type { OwnAccount } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { attentionOf, visibleTo } from "./attention";

/** One page of the partners that this person may see, with what they may know of what needs attention at each. */
export async function listWithAttention(
  { viewer }: Pick<OwnAccount, "viewer">,
  query: PartnerQuery,
): Promise<AttentionPage> {
  const page = await listPartners({ viewer }, query);
  return { ...page, partners: await withAttention({ viewer }, page.environment, page.partners) };
}

/** These lines with what this person may know of what needs attention there. */
export async function withAttention(
  { viewer }: Pick<OwnAccount, "viewer">,
  environment: string,
  lines: readonly PartnerLine[],
): Promise<AttentionLine[]> {
  const all = await attentionOf(
    db(),
    lines.map(({ id }) => id),
  );
  const itemsOf = (id: string): AttentionItem[] => {
    const place = all.get(id)?.find((each) => each.environment === environment);
    const membership = viewer.memberships.find(({ partnerId }) => partnerId === id);
    const role = viewer.staffRole ? "support" : membership?.role;
    return place && role ? visibleTo(role, place.items) : [];
  };
  return lines.map((line) => ({ ...line, attention: itemsOf(line.id) }));
}
