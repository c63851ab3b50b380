import "server-only";
import {
  PostgresAdapter,
  sql,
  type Compilable,
  type CompiledQuery,
  type Expression,
  type QueryResult,
} from "kysely";
import type { Executor } from "./open";

export type Values = Record<string, string | number | null>;
/** The same, as `build` gets them. */
export type Bound<Given extends Values> = {
  readonly [Name in keyof Given]: Expression<Given[Name]>;
};

/** Stands for a value that is given each time. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query that is built and compiled once, for those that nearly every request makes: building one may take longer than
 * SQLite takes to run it. It is no prepared statement of the server's, which poolers may not know. `build` gets an
 * expression in place of each value, so that nothing in it can depend on one.
 */
export function prepared<Given extends Values, Row>(
  build: (executor: Executor, given: Bound<Given>) => Compilable<Row>,
): (executor: Executor, given: Given) => Promise<QueryResult<Row>> {
  const byEngine = new Map<boolean, CompiledQuery<Row>>();
  const bound = new Proxy({} as Bound<Given>, {
    get: (_, name) => sql`${new Placeholder(String(name))}`,
  });
  return (executor, given) => {
    const isPostgres = executor.getExecutor().adapter instanceof PostgresAdapter;
    const query = byEngine.get(isPostgres) ?? build(executor, bound).compile();
    byEngine.set(isPostgres, query);
    return executor.executeQuery({
      ...query,
      parameters: query.parameters.map((each) =>
        each instanceof Placeholder ? given[each.name] : each,
      ),
    });
  };
}
