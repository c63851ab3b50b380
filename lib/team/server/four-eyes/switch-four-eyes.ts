import "server-only";
import {
  claim,
  endProposal,
  propose,
  requireTwoPeople,
  waitingRows,
  type ProposalRow,
} from "@/lib/changes/server/proposals";
import { approversOf, authorAmong, requiresFourEyes } from "@/lib/platform/access/approvers";
import type { PartnerAccess } from "@/lib/platform/access/require";
import { recheckRole } from "@/lib/platform/access/recheck-role";
import { requireStepUp } from "@/lib/platform/auth/step-up";
import { db, type Db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import type { Database } from "@/lib/platform/database/tables";
import { actorOf, byNobody, entryBase, recordHistory } from "@/lib/history/server/record/record";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { Transaction } from "kysely";
import type { RequestContext } from "@/lib/platform/http/model/request-context";
import { secondAdmins, setFourEyes, requestToSwitchOff } from "./four-eyes";
import { randomUUID } from "node:crypto";
import { lockPartner } from "@/lib/platform/database/row-locks";
import { databaseTime } from "@/lib/platform/runtime/database-time";

type Switching = {
  trx: Transaction<Database>;
  access: PartnerAccess;
  context: RequestContext;
  isOn: boolean;
  /** The waiting request to switch it off, unless it has expired. */
  request: ProposalRow | undefined;
  /** Whether the person saw that request; undefined: not said. */
  asked: boolean | undefined;
};

/**
 * Sets whether production addresses and credentials of a partner take two people to change. One admin switches that on,
 * if there are two. It goes off when a second admin requests that, too, within 24 hours: one bad admin must not be able
 * to bypass the second. Requesting `on` meanwhile declines it. `asked`: the person saw a request to switch it off; what
 * a button does depends on that. To switch it off, throws the problems of `requireStepUp` and `requireTwoPeople`; else
 * `changed_meanwhile`, also where the operator requires it, `too_few_approvers`, or `second_admin_missing`.
 */
export async function switchFourEyes(
  access: PartnerAccess<"four_eyes.write">,
  on: boolean,
  context: RequestContext,
  asked?: boolean,
): Promise<void> {
  // A page that was opened before.
  if (env().requireFourEyes) throw new ProblemError("changed_meanwhile", { applied: "no" });
  if (!on) await requireStepUp(access);
  await db()
    .transaction()
    .execute(async (trx) => {
      await recheckRole(trx, access);
      const isOn = await requiresFourEyes(trx, access.partner.id);
      const waiting = await waitingRows(trx, ...requestToSwitchOff(access.partner.id));
      const request = waiting.find((row) => !row.overdue);
      const isAsSeen = asked === (request !== undefined) && (on || isOn);
      if (asked !== undefined && !isAsSeen)
        throw new ProblemError("changed_meanwhile", { applied: "no" });
      const switching = { trx, access, context, isOn, request, asked };
      await (on ? switchOn(switching) : switchOff(switching));
    });
}

async function switchOn(switching: Switching): Promise<void> {
  const { trx, access, isOn, request } = switching;
  if (isOn) {
    // Changes nothing, so records nothing.
    if (!request) return;
    const isOwn = request.author_id === access.viewer.id;
    await endProposal(trx, request, { state: isOwn ? "withdrawn" : "rejected", ...by(switching) });
    return record(switching, "kept", request);
  }
  const people = await approversOf(trx, access.partner.id);
  // With one admin it could never be switched off again, and credentials never be replaced.
  if (people.filter(({ role }) => role === "admin").length < 2)
    throw new ProblemError("too_few_approvers", { applied: "no" });
  // The partner's current people count as independent; from now on it matters who admitted whom.
  await trx.deleteFrom("access_grants").where("partner_id", "=", access.partner.id).execute();
  await setFourEyes(trx, access.partner.id, { since: databaseTime(), byId: access.viewer.id });
  await record(switching, "on", null);
}

async function switchOff(switching: Switching): Promise<void> {
  const { trx, access, isOn, request, asked } = switching;
  const partnerId = access.partner.id;
  if (!isOn) return;
  const seconds = secondAdmins(await approversOf(trx, partnerId), access.viewer.id);
  if (request && authorAmong(seconds, request)) {
    await claim(trx, { row: request }, by(switching));
    await setFourEyes(trx, partnerId, null);
    return record(switching, "off", request);
  }
  if (seconds.length === 0) throw new ProblemError("second_admin_missing", { applied: "no" });
  if (request?.author_id === access.viewer.id) return;
  // Who agrees to a request does not mean to make one.
  if (asked && request) await requireTwoPeople(trx, request, access.viewer.id);
  const [{ environment }, kind] = requestToSwitchOff(partnerId);
  await propose(trx, {
    access,
    environment,
    id: randomUUID(),
    kind,
    appliesTo: null,
    connection: null,
    asked: {},
    secret: null,
    reason: undefined,
    replaces: request ? [request.id] : [],
    ...by(switching),
  });
  await record(switching, "off_asked", null);
}

function by({ access, context }: Switching) {
  return { actor: actorOf(access.viewer, context), requestId: context.requestId };
}

type Outcome = "on" | "off" | "off_asked" | "kept";

async function record(
  { trx, access, context }: Switching,
  outcome: Outcome,
  request: ProposalRow | null,
): Promise<void> {
  await recordHistory(trx, {
    ...entryBase(access, context),
    kind: "four_eyes_changed",
    outcome,
    detail: request ? { asker: "", askerId: request.author_id } : { asker: null },
  });
}

type Lifted =
  | { outcome: "lifted" }
  | { outcome: "not_on" }
  | { outcome: "no_partner" }
  /** REQUIRE_FOUR_EYES: lifting it would have no effect. */
  | { outcome: "required" }
  /** These two of its admins can do it themselves. */
  | { outcome: "two_admins"; names: string[] };

/**
 * Switches four-eyes approval off for a partner that no longer has two admins who could. For the operator of the
 * installation, at its own machine. The partner's history and its Team page say so and why, and its people get a mail.
 * Otherwise changes nothing.
 */
export async function liftFourEyes(db: Db, partnerId: string, reason: string): Promise<Lifted> {
  if (env().requireFourEyes) return { outcome: "required" };
  return db.transaction().execute(async (trx): Promise<Lifted> => {
    await lockPartner(trx, partnerId);
    const partner = trx.selectFrom("partners").select("id").where("id", "=", partnerId);
    if (!(await partner.executeTakeFirst())) return { outcome: "no_partner" };
    if (!(await requiresFourEyes(trx, partnerId))) return { outcome: "not_on" };
    const people = await approversOf(trx, partnerId);
    const first = people.find(({ id }) => secondAdmins(people, id).length > 0);
    if (first) {
      const names = [first, ...secondAdmins(people, first.id)].map(({ name }) => name);
      return { outcome: "two_admins", names };
    }
    await setFourEyes(trx, partnerId, null);
    // Earlier requests must not count once it is on again.
    for (const request of await waitingRows(trx, ...requestToSwitchOff(partnerId)))
      await endProposal(trx, request, {
        state: request.overdue ? "expired" : "withdrawn",
        actor: null,
        requestId: null,
      });
    await recordHistory(trx, {
      ...byNobody,
      partnerId,
      kind: "four_eyes_changed",
      outcome: "lifted",
      detail: { asker: null, reason },
    });
    return { outcome: "lifted" };
  });
}
