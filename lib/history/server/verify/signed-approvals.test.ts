import { startHistoryWorld } from "@/lib/history/testing/history-world";
import { db } from "@/lib/platform/database/open";
import { PostgresAdapter, sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { endedAfter } from "./signed-approvals";

beforeAll(() => startHistoryWorld());
afterAll(() => db().destroy());

it("goes on where it was, on both engines (threat: so many approvals that nobody verifies them any more)", async () => {
  await db()
    .transaction()
    .execute(async (trx) => {
      const query = endedAfter(trx, null, { chain: "aurora", seq: 7 });
      if (trx.getExecutor().adapter instanceof PostgresAdapter) {
        // With so few rows it would read all of them, and sort.
        await sql`set local enable_seqscan = off`.execute(trx);
        await sql`set local enable_sort = off`.execute(trx);
        expect(JSON.stringify(await query.explain())).toMatch(/Index Cond: [^"]*ROW\(/);
      } else {
        const plan = JSON.stringify(await query.explain(undefined, sql`query plan`));
        expect(plan).toContain("(partner_id,seq)>(?,?)");
        expect(plan).not.toMatch(/SCAN|TEMP B-TREE/);
      }
    });
});
