import "server-only";
import type { AlertQueue } from "@/lib/alerts/model/alert";
import type { Executor } from "@/lib/platform/database/open";

/** The state of the outbox, for operators. */
export async function readAlertQueue(executor: Executor): Promise<AlertQueue> {
  const count = (state: "waiting" | "given_up") =>
    executor
      .selectFrom("alert_deliveries")
      .select(({ fn }) => [
        fn.countAll<number>().as("count"),
        fn.min("created_at").as("oldest"),
        fn.max("ended_at").as("newest"),
      ])
      .where("state", "=", state)
      .executeTakeFirstOrThrow();
  const [waiting, givenUp] = [await count("waiting"), await count("given_up")];
  return {
    waiting: waiting.count,
    waitingSince: iso(waiting.oldest),
    givenUp: givenUp.count,
    givenUpAt: iso(givenUp.newest),
  };
}

function iso(timestamp: number | null): string | null {
  return timestamp === null ? null : new Date(timestamp).toISOString();
}
