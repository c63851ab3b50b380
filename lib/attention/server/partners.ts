import "server-only";
import type { AttentionItem } from "@/lib/attention/model/answer";
import type { AttentionLine, AttentionPage } from "@/lib/attention/model/partners";
import type { PartnerLine, PartnerQuery } from "@/lib/partners/model/page";
import { listPartners } from "@/lib/partners/server/list/list";
import type { OwnAccount } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { attentionOf } from "./attention";

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
  const roleAt = (id: string) =>
    viewer.staffRole
      ? ("support" as const)
      : viewer.memberships.find(({ partnerId }) => partnerId === id)?.role;
  const roles = lines.flatMap(({ id }) => {
    const role = roleAt(id);
    return role ? [[id, role] as const] : [];
  });
  const all = await attentionOf(db(), new Map(roles));
  const itemsOf = (id: string): AttentionItem[] =>
    all.get(id)?.find((each) => each.environment === environment)?.items ?? [];
  return lines.map((line) => ({ ...line, attention: itemsOf(line.id) }));
}
