import type { Db } from "@/lib/platform/database/open";
import { insertPartners } from "./insert-partners";
import { madeUpPartner } from "./made-up-partner";

/** Short enough that a transaction does not keep others waiting. */
const batchSize = 250;
const reportEvery = 10_000;

/** Adds the made-up partners 1 to `count`; those that are there stay. Says how many it added, and now and then how far it is. */
export async function seedPartners(
  db: Db,
  count: number,
  environments: readonly string[],
  report: (done: number) => void,
): Promise<number> {
  let added = 0;
  for (let done = 0; done < count;) {
    const size = Math.min(batchSize, count - done);
    const partners = Array.from({ length: size }, (_, i) => madeUpPartner(done + i + 1));
    added += await insertPartners(db, partners, environments);
    const reported = Math.floor(done / reportEvery);
    done += size;
    if (Math.floor(done / reportEvery) > reported || done === count) report(done);
  }
  return added;
}
