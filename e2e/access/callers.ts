import { insert, rowOf } from "@/lib/platform/database/testing/rows";
import { randomUUID } from "node:crypto";
import { createPartner, createStaff, type E2ePartner } from "@/e2e/fixtures/partner";
import { cookieOf, userIdOf } from "@/e2e/fixtures/signed-in";
import { identities, type Identity } from "./table";

/** The Cookie header of each identity; empty for the signed-out. */
export type Callers = { partner: E2ePartner; cookies: Record<Identity, string> };

/** A partner and one person of each kind, signed in. */
export async function makeCallers(): Promise<Callers> {
  const [partner, other] = [await createPartner(), await createPartner()];
  const inView = await createStaff("support");
  const emails: Record<Identity, string | null> = {
    "signed out": null,
    viewer: await partner.person("viewer"),
    editor: await partner.person("editor"),
    admin: await partner.person("admin"),
    "another partner's admin": await other.person("admin"),
    "support without a view": await createStaff("support"),
    "support with a view": inView,
    operator: await createStaff("operator"),
  };
  const cookies = await Promise.all(
    identities.map(async (identity) => {
      const email = emails[identity];
      return [identity, email === null ? "" : await cookieOf(email)] as const;
    }),
  );
  await openView(inView, partner.id);
  return { partner, cookies: Object.fromEntries(cookies) as Record<Identity, string> };
}

async function openView(email: string, partnerId: string): Promise<void> {
  const now = Date.now();
  const user_id = await userIdOf(email);
  const { id_hash } = await rowOf("sessions", { user_id });
  await insert("support_views", {
    id: randomUUID(),
    user_id,
    partner_id: partnerId,
    session_id_hash: id_hash,
    reason: "ticket 1",
    started_at: now,
    expires_at: now + 30 * 60_000,
    ended_at: null,
  });
}
