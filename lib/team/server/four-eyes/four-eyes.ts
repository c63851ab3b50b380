import "server-only";
import { readWaiting } from "@/lib/changes/server/proposals";
import {
  approversOf,
  areIndependent,
  haveSecondPerson,
  type Approver,
} from "@/lib/platform/access/approvers";
import { distinctNames } from "@/lib/platform/auth/person-names";
import { db, type Executor } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { historyDetail } from "@/lib/history/model/entry";
import type { FourEyes } from "@/lib/team/model/team";

/** The caller holds the lock on the partner's row. */
export async function setFourEyes(
  trx: Executor,
  partnerId: string,
  on: { since: number; byId: string } | null,
): Promise<void> {
  await trx
    .updateTable("partners")
    .set({ four_eyes_since: on?.since ?? null, four_eyes_by_id: on?.byId ?? null })
    .where("id", "=", partnerId)
    .execute();
}

/** The request of an admin to switch it off; it waits for a second one, and there is one at most. */
export const requestToSwitchOff = (partnerId: string) =>
  [{ partnerId, environment: "" }, "four_eyes_off"] as const;

/** The admins who count as a second person besides this one, who must be an admin, too. */
export function secondAdmins(people: readonly Approver[], adminId: string): Approver[] {
  const admins = people.filter(({ role }) => role === "admin");
  const admin = admins.find(({ id }) => id === adminId);
  return admin ? admins.filter((other) => areIndependent(admin, other)) : [];
}

/** When and why the operator of the installation lifted it, for the partner's people. */
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

/** Four-eyes approval as the Team page shows it to the viewer. Checks no access. */
export async function presentFourEyes(partnerId: string, viewerId: string): Promise<FourEyes> {
  const row = await db()
    .selectFrom("partners")
    .select(["four_eyes_since as since", "four_eyes_by_id as byId"])
    .where("id", "=", partnerId)
    .executeTakeFirstOrThrow();
  const nameOf = await distinctNames(db(), partnerId, [row.byId]);
  const required = env().requireFourEyes;
  const on =
    row.since === null || required
      ? null
      : { since: new Date(row.since).toISOString(), by: nameOf(row.byId ?? "") };
  const [request] = on ? await readWaiting(...requestToSwitchOff(partnerId)) : [];
  const people = await approversOf(db(), partnerId);
  return {
    required,
    hasSecondPerson: haveSecondPerson(people),
    on,
    offAsked: request
      ? {
          by: request.shown.by.name,
          you: request.shown.by.id === viewerId,
          mayAgree: request.shown.approvers?.some(({ id }) => id === viewerId) ?? false,
          expiresAt: request.shown.expiresAt,
        }
      : null,
    admins: people.filter(({ role }) => role === "admin").length,
    secondAdmins: secondAdmins(people, viewerId).map(({ name }) => name),
    lifted: on || required ? null : await liftedLast(partnerId),
    environments: [...env().productionEnvironments],
  };
}
