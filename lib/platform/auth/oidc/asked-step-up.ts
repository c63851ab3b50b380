import "server-only";
import { hashOf } from "@/lib/platform/auth/one-time-token";
import type { Session } from "@/lib/platform/auth/sessions/sessions";
import type { Executor } from "@/lib/platform/database/open";
import { databaseTime } from "@/lib/platform/runtime/database-time";
import { attemptMaxAge } from "./attempt";

const lifeMs = attemptMaxAge * 1_000;

/** Records that the person of this session is sent to the provider to confirm who they are. */
export async function askStepUp(
  db: Executor,
  attemptId: string,
  { idHash }: Pick<Session, "idHash">,
  now = databaseTime(),
): Promise<void> {
  await db
    .deleteFrom("provider_step_ups")
    .where("begun_at", "<=", now - lifeMs)
    .execute();
  await db
    .insertInto("provider_step_ups")
    .values({ id_hash: hashOf(attemptId), session_hash: idHash, begun_at: now })
    .execute();
}

/** Consumes the request, so that its answer counts once. null where it was another session's, was answered, or is over. */
export async function takeStepUp(
  db: Executor,
  attemptId: string,
  { idHash }: Pick<Session, "idHash">,
  now = databaseTime(),
): Promise<{ begunAt: number } | null> {
  const taken = await db
    .deleteFrom("provider_step_ups")
    .where("id_hash", "=", hashOf(attemptId))
    .where("session_hash", "=", idHash)
    .where("begun_at", ">", now - lifeMs)
    .returning("begun_at")
    .executeTakeFirst();
  return taken ? { begunAt: taken.begun_at } : null;
}
