import "server-only";
import { approversOf } from "@/lib/access/approvers";
import { db, type Executor } from "@/lib/db/open";
import type { Database } from "@/lib/db/schema";
import { env } from "@/lib/env";
import type { Selectable } from "kysely";
import type { FourEyes } from "./team";

/** A wish to switch it off that nobody agreed to is forgotten, milliseconds. */
const wishMs = 24 * 60 * 60_000;

type Row = Selectable<Database["four_eyes"]>;

export async function fourEyesRow(executor: Executor, partnerId: string): Promise<Row | undefined> {
  return executor
    .selectFrom("four_eyes")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
}

/** Which admin wants it off, unless that was too long ago. */
export function askedOff(row: Row): { by: string; name: string; expiresAt: number } | null {
  const { off_asked_by: by, off_asked_name: name, off_asked_at: at } = row;
  if (by === null || name === null || at === null) return null;
  const expiresAt = at + wishMs;
  return expiresAt > Date.now() ? { by, name, expiresAt } : null;
}

/** The rule as the team's page shows it to the person who asks. Takes the partner's id on trust. */
export async function presentFourEyes(partnerId: string, viewerId: string): Promise<FourEyes> {
  const row = await fourEyesRow(db(), partnerId);
  const asked = row ? askedOff(row) : null;
  return {
    on: row ? { since: new Date(row.since).toISOString(), by: row.switched_on_by } : null,
    offAsked: asked && {
      by: asked.name,
      you: asked.by === viewerId,
      expiresAt: new Date(asked.expiresAt).toISOString(),
    },
    approvers: (await approversOf(db(), partnerId)).length,
    environments: [...env().productionEnvironments],
  };
}
