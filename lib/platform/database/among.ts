import "server-only";
import { env } from "@/lib/platform/env/env";
import { sql, type RawBuilder, type SqlBool } from "kysely";
import { isPostgres } from "./open";

/** Whether the column has one of these texts, as one parameter: a statement may have only so many. */
export function isAmong(column: string, texts: readonly string[]): RawBuilder<SqlBool> {
  const json = JSON.stringify(texts);
  return isPostgres(env().databaseUrl.reveal())
    ? sql`${sql.ref(column)} in (select json_array_elements_text(${json}::json))`
    : sql`${sql.ref(column)} in (select value from json_each(${json}))`;
}
