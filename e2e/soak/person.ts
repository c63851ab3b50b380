import { sessionIdClaim } from "@/lib/auth/session-token";
import { startSession } from "@/lib/auth/sessions";
import type { Db } from "@/lib/db/open";
import { env } from "@/lib/env";
import { sessionCookieName } from "@/lib/session-cookie";
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
