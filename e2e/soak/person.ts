import { sessionIdClaim } from "@/lib/platform/auth/sessions/session-token";
import { startSession } from "@/lib/platform/auth/sessions/sessions";
import type { Db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { sessionCookieName } from "@/lib/platform/auth/model/session-cookie";
import { encode } from "next-auth/jwt";
import { randomUUID } from "node:crypto";

export type Person = { id: string; name: string; cookie: string };

/** Somebody who is signed in. */
export async function addPerson(db: Db, name: string): Promise<Person> {
  const id = randomUUID();
  await db
    .insertInto("users")
    .values({
      id,
      email: `${id}@soak.example`,
      name,
      password_hash: null,
      staff_role: null,
      disabled_at: null,
      created_at: Date.now(),
    })
    .execute();
  const session = await startSession(db, id, { clientAddress: null, userAgent: "soak" });
  const secret = env().authSecret.reveal();
  const token = await encode({ token: { [sessionIdClaim]: session }, secret });
  return { id, name, cookie: `${sessionCookieName(false)}=${token}` };
}
