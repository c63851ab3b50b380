import "server-only";
import { approversOf } from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { entryBase, recordHistory } from "@/lib/history/server/record/record";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { switchOffRequest, fourEyesRow, secondAdmins } from "./four-eyes";

type Switching = { trx: Transaction<Database>; access: PartnerAccess; context: RequestContext };

/**
 * Sets whether production addresses and credentials of a partner take two people to change. One admin switches that on,
 * if there are two: it goes off only when a second admin requests it, too, within 24 hours, since one bad admin must
 * not get rid of the second person. Requesting `on` meanwhile declines it. To switch it off, throws the problems of
 * `requireStepUp`; else `too_few_approvers`, or `second_admin_missing`.
 */
export async function switchFourEyes(
  access: PartnerAccess<"four_eyes.write">,
  on: boolean,
  context: RequestContext,
): Promise<void> {
  if (!on) await requireStepUp(access);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const switching = { trx, access, context };
      await (on ? switchOn(switching) : switchOff(switching));
    });
}

async function switchOn(switching: Switching): Promise<void> {
  const { trx, access } = switching;
  const row = await fourEyesRow(trx, access.partner.id);
  if (row) {
    const request = switchOffRequest(row);
    // An expired request needs no declining; and no row changes without an entry.
    if (!request) return;
    await note(switching, null);
    return record(switching, "kept", request);
  }
  const people = await approversOf(trx, access.partner.id);
  // With one admin it could never be switched off again, nor could credentials be replaced.
  if (people.filter(({ role }) => role === "admin").length < 2)
    throw new ProblemError("too_few_approvers", { applied: "no" });
  // The partner's present people are taken at its word; from now on it matters who let whom in.
  await trx.deleteFrom("vouchers").where("partner_id", "=", access.partner.id).execute();
  await trx
    .insertInto("four_eyes")
    .values({
      partner_id: access.partner.id,
      since: Date.now(),
      switched_on_by: access.viewer.name,
      off_asked_by: null,
      off_asked_name: null,
      off_asked_at: null,
    })
    .execute();
  await record(switching, "on", null);
}

async function switchOff(switching: Switching): Promise<void> {
  const { trx, access } = switching;
  const row = await fourEyesRow(trx, access.partner.id);
  if (!row) return;
  const seconds = secondAdmins(await approversOf(trx, access.partner.id), access.viewer.id);
  const request = switchOffRequest(row);
  if (request && seconds.some(({ id }) => id === request.by)) {
    await trx.deleteFrom("four_eyes").where("partner_id", "=", access.partner.id).execute();
    return record(switching, "off", request);
  }
  if (seconds.length === 0) throw new ProblemError("second_admin_missing", { applied: "no" });
  if (request?.by === access.viewer.id) return;
  await note(switching, access.viewer);
  await record(switching, "off_asked", null);
}

/** Stores who wants it off, from now on; null: nobody does. */
async function note(
  { trx, access }: Switching,
  asker: { id: string; name: string } | null,
): Promise<void> {
  await trx
    .updateTable("four_eyes")
    .set({
      off_asked_by: asker?.id ?? null,
      off_asked_name: asker?.name ?? null,
      off_asked_at: asker && Date.now(),
    })
    .where("partner_id", "=", access.partner.id)
    .execute();
}

type Outcome = "on" | "off" | "off_asked" | "kept";

async function record(
  { trx, access, context }: Switching,
  outcome: Outcome,
  request: { by: string; name: string } | null,
): Promise<void> {
  await recordHistory(trx, {
    ...entryBase(access, context),
    kind: "four_eyes_changed",
    outcome,
    detail: request ? { asker: request.name, askerId: request.by } : { asker: null },
  });
}
