import { db, type Executor } from "@/lib/platform/database/open";
import { CompiledQuery, type KyselyPlugin } from "kysely";

/** A step of a plan; `parent` 0: of the statement itself, not of a subquery. */
export type PlanStep = { detail: string; parent: number };

/** What SQLite would do for each statement of this work, in order, one after the other. */
export async function plansOf(work: (executor: Executor) => Promise<unknown>): Promise<PlanStep[]> {
  const seen: CompiledQuery[] = [];
  const compiler = db();
  const watching: KyselyPlugin = {
    transformQuery: ({ node, queryId }) => {
      seen.push(compiler.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  await work(db().withPlugin(watching));
  const plans: PlanStep[] = [];
  for (const { sql, parameters } of seen) {
    const explained = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters]);
    const { rows } = await db().executeQuery<PlanStep>(explained);
    plans.push(...rows);
  }
  return plans;
}
