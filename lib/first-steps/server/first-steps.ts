import "server-only";
import type { DismissRequest } from "@/lib/first-steps/model/dismiss";
import type { FirstStepsContext } from "@/lib/first-steps/model/steps";
import { adminsOf } from "@/lib/platform/access/admins";
import { requireEnvironment, type PartnerAccess } from "@/lib/platform/access/require";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";

type Access = PartnerAccess<"first_steps.follow">;

/** Data of the first steps that their screen lacks; null for a person who has dismissed them there. */
export async function firstStepsContext(
  { partner, viewer }: Access,
  environment: string,
): Promise<FirstStepsContext | null> {
  const away = await db()
    .selectFrom("first_steps_away")
    .select("user_id")
    .where("user_id", "=", viewer.id)
    .where("partner_id", "=", partner.id)
    .where("environment", "=", environment)
    .executeTakeFirst();
  if (away) return null;
  const admins = await adminsOf(db(), partner.id);
  const invited = await db()
    .selectFrom("invitations")
    .select("id")
    .where("partner_id", "=", partner.id)
    .where("role", "=", "admin")
    .where("accepted_at", "is", null)
    .where("revoked_at", "is", null)
    .where("expires_at", ">", Date.now())
    .execute();
  const { publicAddress } = env();
  return { admins: admins.length, invited: invited.length, publicAddress };
}

/** For this person and this environment alone, until they bring them back. Throws `not_found`. */
export async function dismissFirstSteps(
  { partner, viewer }: Access,
  environmentName: string,
  { away }: DismissRequest,
): Promise<void> {
  const { name: environment } = requireEnvironment(environmentName);
  const row = { user_id: viewer.id, partner_id: partner.id, environment };
  await (away
    ? db()
        .insertInto("first_steps_away")
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    : db()
        .deleteFrom("first_steps_away")
        .where("user_id", "=", row.user_id)
        .where("partner_id", "=", row.partner_id)
        .where("environment", "=", row.environment)
        .execute());
}
