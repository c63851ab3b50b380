import "server-only";
import { requireUser } from "@/lib/access/require";
import type { Viewer } from "@/lib/access/viewer";
import { db } from "@/lib/db/open";
import type { Database } from "@/lib/db/schema";
import { sql, type ExpressionBuilder } from "kysely";
import * as z from "zod/mini";

const pageSize = 50;

/** The query of `GET /api/partners`. */
export const partnerQuerySchema = z.object({
  /** Part of the name or the id. */
  search: z._default(z.string().check(z.maxLength(100), z.trim()), ""),
  /** The id after which the page begins, from `nextCursor`. */
  cursor: z.optional(z.string().check(z.regex(/^[a-z0-9-]{3,40}$/))),
});

export type PartnerQuery = z.infer<typeof partnerQuerySchema>;

export type PartnerPage = {
  partners: { id: string; name: string; suspended: boolean }[];
  /** null on the last page. */
  nextCursor: string | null;
};

/** The partners that the signed-in person may see, by id: staff see all, others their own. Throws `signed_out`. */
export async function listPartners({ search, cursor }: PartnerQuery): Promise<PartnerPage> {
  const rows = await visibleTo(await requireUser())
    .$if(search !== "", (query) =>
      query.where((eb) => eb.or([contains(eb, "id", search), contains(eb, "name", search)])),
    )
    .$if(cursor !== undefined, (query) => query.where("id", ">", cursor ?? ""))
    .orderBy("id")
    .limit(pageSize + 1)
    .execute();
  const partners = rows
    .slice(0, pageSize)
    .map(({ id, name, suspended_at }) => ({ id, name, suspended: suspended_at !== null }));
  return { partners, nextCursor: rows.length > pageSize ? (partners.at(-1)?.id ?? null) : null };
}

function visibleTo(viewer: Viewer) {
  const all = db().selectFrom("partners").select(["id", "name", "suspended_at"]);
  if (viewer.staffRole) return all;
  const own = viewer.memberships.map((membership) => membership.partnerId);
  return all.where("id", "in", own.length > 0 ? own : [""]);
}

/** Case-insensitive, and the search's own % and _ mean themselves. */
function contains(
  eb: ExpressionBuilder<Database, "partners">,
  column: "id" | "name",
  search: string,
) {
  const pattern = `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
  return sql<boolean>`lower(${eb.ref(column)}) like ${pattern} escape '\\'`;
}
