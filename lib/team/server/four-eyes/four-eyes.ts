import "server-only";
import { readWaiting } from "@/lib/changes/server/proposals";
import { approversOf, areTwoPeople, type Approver } from "@/lib/platform/access/approvers";
import { db, type Executor } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import { historyDetail } from "@/lib/history/model/entry";
import type { Selectable } from "kysely";
import type { FourEyes } from "@/lib/team/model/team";

type Row = Selectable<Database["four_eyes"]>;

export async function fourEyesRow(executor: Executor, partnerId: string): Promise<Row | undefined> {
  return executor
    .selectFrom("four_eyes")
    .selectAll()
    .where("partner_id", "=", partnerId)
    .executeTakeFirst();
}

/** The request of an admin to switch it off; it waits for a second one, and there is one at most. */
export const switchOff = (partnerId: string) =>
  [{ partnerId, environment: "" }, "four_eyes_off"] as const;

/** The admins whose agreement counts besides that of this one, who has to be an admin too. */
export function secondAdmins(people: readonly Approver[], adminId: string): Approver[] {
  const admins = people.filter(({ role }) => role === "admin");
  const admin = admins.find(({ id }) => id === adminId);
  return admin ? admins.filter((other) => areTwoPeople(admin, other)) : [];
}

/** Why it is off, where the operator of the installation lifted it: the partner's people did not see it happen. */
async function liftedLast(partnerId: string): Promise<FourEyes["lifted"]> {
  const row = await db()
    .selectFrom("history")
    .select(["at", "outcome", "detail_json"])
    .where("partner_id", "=", partnerId)
    .where("kind", "=", "four_eyes_changed")
    .orderBy("seq", "desc")
    .executeTakeFirst();
  if (row?.outcome !== "lifted") return null;
  const detail = historyDetail.four_eyes_changed.safeParse(JSON.parse(row.detail_json));
  return { at: new Date(row.at).toISOString(), reason: detail.data?.reason ?? null };
}

/** The rule as the team's page shows it to the viewer. Takes the partner's id on trust. */
export async function presentFourEyes(partnerId: string, viewerId: string): Promise<FourEyes> {
  const row = await fourEyesRow(db(), partnerId);
  const [request] = row ? await readWaiting(...switchOff(partnerId)) : [];
  const people = await approversOf(db(), partnerId);
  return {
    on: row ? { since: new Date(row.since).toISOString(), by: row.switched_on_by } : null,
    offAsked: request
      ? {
          by: request.shown.by.name,
          you: request.shown.by.id === viewerId,
          expiresAt: request.shown.expiresAt,
        }
      : null,
    admins: people.filter(({ role }) => role === "admin").length,
    secondAdmins: secondAdmins(people, viewerId).map(({ name }) => name),
    lifted: row ? null : await liftedLast(partnerId),
    environments: [...env().productionEnvironments],
  };
}
