import { takesSecondAdmin } from "@/lib/connection/server/proposals";
import { areSame, type Credentials } from "@/lib/connection/server/credentials";
import type { Trial } from "@/lib/connection/server/set-by-operator";
import { connectionOf } from "@/lib/partners/server/connection";
import { approversOf, haveSecondPerson } from "@/lib/platform/access/approvers";
import { env } from "@/lib/platform/env/env";
import { adminsOf } from "@/lib/platform/auth/right-to-invite";
import type { Executor } from "@/lib/platform/database/open";
import type { InvitationRow } from "@/lib/platform/database/tables";
import type { PartnerConnection } from "@/lib/platform/payment-service/types";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import type { PartnerLine } from "./lines";

type Invitee = PartnerLine["admins"][number];

/** What is to be done so that the database has what a line says. */
export type Step =
  | { do: "create" }
  | { do: "rename"; before: string }
  | { do: "suspend" | "resume" }
  /** `before`: null where nothing is set up. */
  | { do: "connect"; environment: string; before: PartnerConnection | null }
  | { do: "invite"; admin: Invitee }
  /** An invitation that is open already, and that nobody mailed. */
  | { do: "mail"; invitation: InvitationRow };

export type Plan = {
  steps: Step[];
  /** People whom it leaves as they are although they are no members, and why. */
  notes: string[];
  /** Why the line is left out. Others go on: what one partner has must not keep every other one from an import. */
  faults: string[];
};

export type Terms = {
  /** The payment service, by environment. */
  environments: ReadonlyMap<string, string>;
  reason: string | null;
  resend: boolean;
  /** Whether invitations are mailed. */
  mails: boolean;
  /** The credentials of lines that were tried, and work. */
  tried: ReadonlyMap<Credentials, Trial>;
};

/** Compares a line with the database, and changes nothing. */
export async function planLine(executor: Executor, line: PartnerLine, terms: Terms): Promise<Plan> {
  const plan: Plan = { steps: [], notes: [], faults: [] };
  const partner = await executor
    .selectFrom("partners")
    .select(["name", "suspended_at"])
    .where("id", "=", line.id)
    .executeTakeFirst();
  if (!partner) plan.steps.push({ do: "create" });
  else if (partner.name !== line.name) plan.steps.push({ do: "rename", before: partner.name });
  const wasSuspended = (partner?.suspended_at ?? null) !== null;
  const suspended = line.suspended ?? wasSuspended;
  if (suspended !== wasSuspended) plan.steps.push({ do: suspended ? "suspend" : "resume" });
  await planConnections(executor, line, terms, plan);
  await planAdmins(executor, line, { ...terms, suspended }, plan);
  return plan;
}

async function planConnections(
  executor: Executor,
  { id, connections }: PartnerLine,
  { environments, reason }: Terms,
  { steps, faults }: Plan,
): Promise<void> {
  for (const [environment, credentials] of connections) {
    const service = { name: environment, baseUrl: environments.get(environment) ?? "" };
    const before = await connectionOf(id, service, executor);
    if (before && areSame(before, credentials)) continue;
    const others = await othersWith(executor, { id, environment, clientId: credentials.clientId });
    if (others.length > 0)
      faults.push(
        `connections.${environment}.client_id is in use for ${others.join(", ")}: each partner has its own`,
      );
    const ref = { partnerId: id, environment };
    if (before && reason === null && (await takesSecondAdmin(executor, ref)))
      faults.push(
        `replaces the credentials for ${environment}, which takes two of the partner's admins (four-eyes approval): leave them out, or give --reason`,
      );
    steps.push({ do: "connect", environment, before });
  }
}

/**
 * The ids of other partners that have this client. Their admins may have typed it, also where it does not work for them,
 * so the operator is told whom to ask.
 */
async function othersWith(
  executor: Executor,
  { id, environment, clientId }: { id: string; environment: string; clientId: string },
): Promise<string[]> {
  const others = await executor
    .selectFrom("connections")
    .select("partner_id")
    .where("client_id", "=", clientId)
    .where("environment", "=", environment)
    .where("partner_id", "!=", id)
    .orderBy("partner_id")
    .execute();
  return others.map(({ partner_id }) => partner_id);
}

/**
 * A partner's admins invite everybody else: once it has one, a file invites nobody to it any more, so that importing it
 * again never brings back a person whom they removed. Where every change takes a second person and it has none, nobody
 * whom its admin invites would count as one: the operator can vouch for somebody. What a person's invitation gives stays
 * as that person decided.
 */
async function planAdmins(
  executor: Executor,
  { id, admins }: PartnerLine,
  { suspended, resend, mails }: Terms & { suspended: boolean },
  { steps, notes, faults }: Plan,
): Promise<void> {
  if (admins.length === 0) return;
  if (env().oidc?.isOnlyWay) {
    notes.push("nobody is invited: the provider's claim decides who the admins are");
    return;
  }
  const emails = admins.map(({ email }) => email);
  const people = await executor
    .selectFrom("users")
    .leftJoin("memberships", (join) =>
      join.onRef("memberships.user_id", "=", "users.id").on("memberships.partner_id", "=", id),
    )
    .select(["email", "staff_role", "role"])
    .where("email", "in", emails)
    .execute();
  const invitations = await executor
    .selectFrom("invitations")
    .selectAll()
    .where("partner_id", "=", id)
    .where("email", "in", emails)
    .orderBy("created_at", "desc")
    .execute();
  const hasInviter =
    (await adminsOf(executor, id)).length > 0 &&
    (!env().requireFourEyes || haveSecondPerson(await approversOf(executor, id)));
  for (const admin of admins) {
    const { email } = admin;
    const person = people.find((each) => each.email === email);
    if (person?.staff_role) {
      faults.push(`names ${email}, who is staff: staff belong to no partner`);
      continue;
    }
    if (person?.role) continue;
    const [last] = invitations.filter((each) => each.email === email);
    const state = last && stateOf(last);
    if (suspended) notes.push(`${email} is not invited: the partner is suspended`);
    else if (last && state === "open" && last.invited_by_id !== null)
      notes.push(`${email} has an open invitation of a person`);
    else if (last && state === "open" && (hasInviter || !resend)) {
      if (mails && last.mailed_at === null) steps.push({ do: "mail", invitation: last });
      else if (resend) notes.push(`${email} is not invited again: ${hasOwnInviter}`);
    } else if (hasInviter) notes.push(`${email} is not invited: ${hasOwnInviter}`);
    else if (state && state !== "open" && !resend)
      notes.push(
        `${email} was invited before, and the invitation ${ended[state]} (--resend invites again)`,
      );
    else steps.push({ do: "invite", admin });
  }
}

const hasOwnInviter = "the partner has an admin, who invites";

const ended = {
  accepted: "was accepted",
  revoked: "was revoked",
  expired: "has expired",
};

function stateOf(row: InvitationRow): keyof typeof ended | "open" {
  if (row.accepted_at !== null) return "accepted";
  if (row.revoked_at !== null) return "revoked";
  return row.expires_at <= databaseTime() ? "expired" : "open";
}

/** In words for the operator, without a secret. */
export function stepInWords(step: Step, { name, connections }: PartnerLine): string {
  switch (step.do) {
    case "create":
      return `new, “${name}”`;
    case "rename":
      return `“${step.before}” is named “${name}”`;
    case "suspend":
      return "suspended";
    case "resume":
      return "resumed";
    case "connect": {
      const after = connections.get(step.environment)?.clientId ?? "";
      const before = step.before?.clientId;
      if (before === undefined) return `${step.environment} connected as ${after}`;
      return before === after
        ? `${step.environment}: other secret of ${after}`
        : `${step.environment}: other credentials, ${after} in place of ${before}`;
    }
    case "invite":
      return `invitation to ${step.admin.email}`;
    case "mail":
      return `mail to ${step.invitation.email}, invited before`;
  }
}
