import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import { randomUUID } from "node:crypto";
import type { Arrival } from "./admit";

/**
 * Makes an account for somebody unknown who came with a working invitation, where it is to the address that the
 * provider vouches for. The account has no password, so none opens it, and it has a part in nothing: the invitation is
 * accepted on its own page. Returns `other_address` where somebody else was invited; null where there is an account for
 * the address now, or no invitation.
 */
export async function accountForInvited(
  db: Executor,
  { identity, invitation }: Arrival,
): Promise<"other_address" | null> {
  const invited = invitation === null ? undefined : await findInvited(db, invitation);
  if (!invited) return null;
  if (invited.email !== identity.verifiedEmail) return "other_address";
  await db
    .insertInto("users")
    .values({
      id: randomUUID(),
      email: invited.email,
      name: identity.name ?? invited.name ?? invited.email,
      password_hash: null,
      staff_role: null,
      disabled_at: null,
      created_at: Date.now(),
      address_proven_at: Date.now(),
      address_proven_by: "provider",
    })
    // Another request of theirs was quicker.
    .onConflict((conflict) => conflict.column("email").doNothing())
    .execute();
  return null;
}

async function findInvited(db: Executor, tokenHash: string) {
  return db
    .selectFrom("invitations")
    .innerJoin("partners", "partners.id", "invitations.partner_id")
    .select(["invitations.email", "invitations.name"])
    .where("invitations.token_hash", "=", tokenHash)
    .where("invitations.accepted_at", "is", null)
    .where("invitations.revoked_at", "is", null)
    .where("invitations.expires_at", ">", Date.now())
    .where("partners.suspended_at", "is", null)
    .executeTakeFirst();
}
