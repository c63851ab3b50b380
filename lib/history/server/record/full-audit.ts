import "server-only";
import type { HistoryRow } from "@/lib/platform/database/tables";
import * as z from "zod/mini";
import { originOf } from "./origin";

const version = z.nullable(z.object({ callbackUrl: z.string() }));
/** What kinds of entry about webhooks have, each its own part. */
const detailSchema = z.object({
  changes: z.optional(
    z.array(
      z.object({
        type: z.string(),
        outcome: z.optional(z.string()),
        before: version,
        after: version,
      }),
    ),
  ),
  desired: z.optional(z.array(z.object({ type: z.string(), state: version }))),
});

/** What `AUDIT_LOG=full` adds to the line of an entry. Of addresses, the origin alone. */
export function fullAuditOf({ environment, types, outcome: state, detail_json }: HistoryRow) {
  const { data } = z.safeParse(detailSchema, JSON.parse(detail_json));
  const origin = (of: { callbackUrl: string } | null) => of && originOf(of.callbackUrl);
  const changes = [
    ...(data?.changes ?? []).map(({ type, outcome, before, after }) => ({
      type,
      ...(outcome !== undefined && { state: outcome }),
      before: origin(before),
      after: origin(after),
    })),
    ...(data?.desired ?? []).map(({ type, state: asked }) => ({ type, after: origin(asked) })),
  ];
  return {
    environment,
    types: types === "" ? [] : types.split(","),
    state,
    ...(changes.length > 0 && { changes }),
  };
}
