import "server-only";
import type { AttentionItem } from "@/lib/attention/model/answer";
import type { AttentionPage } from "@/lib/attention/model/partners";
import type { PartnerQuery } from "@/lib/partners/model/page";
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
  const all = await attentionOf(
    db(),
    page.partners.map(({ id }) => id),
  );
  const itemsOf = (id: string): AttentionItem[] => {
    const place = all.get(id)?.find(({ environment }) => environment === page.environment);
    const membership = viewer.memberships.find(({ partnerId }) => partnerId === id);
    const role = viewer.staffRole ? "support" : membership?.role;
    return place && role ? visibleTo(role, place.items) : [];
  };
  return {
    ...page,
    partners: page.partners.map((line) => ({ ...line, attention: itemsOf(line.id) })),
  };
}
