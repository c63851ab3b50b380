/**
 * Simulates an instance of Gancho during a rotation of keys: reads secrets, writes others and adds partners until it is
 * stopped.
 */
import { openDatabase } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { setTimeout as pause } from "node:timers/promises";
import { under } from "./random";
import { addSealed, allSealed, isRight, sealAnew, type Sealed } from "./sealed";

const db = openDatabase(env().databaseUrl.reveal());
const known = await allSealed(db);
const counts = { read: 0, written: 0, added: 0, faults: [] as string[] };
let stopping = false;
process.once("SIGTERM", () => (stopping = true));
console.log("ready");

while (!stopping) {
  const one = known[under(known.length)];
  if (one)
    await act(one).catch((error: unknown) =>
      counts.faults.push(`${one.partner_id}: ${String(error)}`),
    );
  // Gives other programs a turn at the embedded database.
  await pause(2);
}
await db.destroy();
console.log(JSON.stringify(counts));

async function act(one: Sealed): Promise<void> {
  const dice = under(20);
  if (dice === 0) {
    await addSealed(db, 1);
    counts.added += 1;
  } else if (dice < 5) {
    await sealAnew(db, one);
    counts.written += 1;
  } else {
    const row = await db
      .selectFrom("connections")
      .select(["id", "partner_id", "secret_ciphertext"])
      .where("id", "=", one.id)
      .executeTakeFirstOrThrow();
    if (!(await isRight(db, row))) counts.faults.push(`${one.partner_id}: not its own secret`);
    counts.read += 1;
  }
}
