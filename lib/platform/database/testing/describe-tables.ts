import { isPostgres, type Db } from "@/lib/platform/database/open";
import { sql } from "kysely";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The parts of the tables that code relies on, one line each, in order: every column with its type, whether it needs a
 * value and has a default, and every rule that refuses a row. Leaves out indexes that refuse none.
 */
export async function describeTables(db: Db, url: string): Promise<string[]> {
  const { columns, rules } = isPostgres(url) ? postgres : sqlite;
  const found = [
    ...(await columns.execute(db)).rows.map(
      ({ on, name, type, required, has_default }) =>
        `${on}.${name}: ${type}${required ? " not null" : ""}${has_default ? " default" : ""}`,
    ),
    ...(await rules.execute(db)).rows.map(({ on, rule }) => `${on}: ${rule.replace(/\s+/g, " ")}`),
  ];
  return found.filter((line) => !/^(?:kysely_|sqlite_)/.test(line)).sort();
}

/**
 * What code that was written for the tables of `recorded` would meet in those of `now`: something it uses that is gone
 * or not what it was, or something in its tables that refuses rows as it writes them.
 */
export function whatBreaks(recorded: readonly string[], now: readonly string[]): string[] {
  const tables = new Set(recorded.map(tableOf));
  const gone = recorded.filter((line) => !now.includes(line));
  const added = now.filter(
    (line) => !recorded.includes(line) && tables.has(tableOf(line)) && !isOptionalColumn(line),
  );
  return [...gone.map((line) => `gone: ${line}`), ...added.map((line) => `added: ${line}`)];
}

function tableOf(line: string): string {
  return line.split(/[.:]/, 1)[0] ?? line;
}

function isOptionalColumn(line: string): boolean {
  return /^\w+\.\w+: /.test(line) && !/ not null$/.test(line);
}

const folder = fileURLToPath(new URL("./recorded-tables", import.meta.url));

/** Where `npm run record-tables` records the tables of a release, when it is made. */
export function recordOf(version: string, url: string): string {
  return path.join(folder, `${version}.${isPostgres(url) ? "postgres" : "sqlite"}.txt`);
}

export function recordedTables(url: string): { version: string; lines: string[] }[] {
  const end = isPostgres(url) ? ".postgres.txt" : ".sqlite.txt";
  return readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .map((name) => ({
      version: name.slice(0, -end.length),
      lines: readFileSync(path.join(folder, name), "utf8").trim().split("\n"),
    }));
}

type Column = {
  on: string;
  name: string;
  type: string;
  required: boolean | number;
  has_default: boolean | number;
};
type Rule = { on: string; rule: string };

const postgres = {
  columns: sql<Column>`
    select c.relname as on, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
      a.attnotnull as required, a.atthasdef as has_default
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped`,
  rules: sql<Rule>`
    select c.relname as on, pg_get_constraintdef(k.oid) as rule
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('p', 'u', 'c', 'f')
    union all
    select c.relname, 'unique index' || substring(pg_get_indexdef(i.indexrelid) from ' USING .*')
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'public'::regnamespace and i.indisunique
      and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype <> 'f')
    union all
    select c.relname, 'trigger ' || t.tgname
    from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal`,
};

const sqlite = {
  columns: sql<Column>`
    select m.name as "on", i.name, i.type, i."notnull" or i.pk > 0 as required,
      i.dflt_value is not null as has_default
    from sqlite_master m join pragma_table_info(m.name) i where m.type = 'table'`,
  rules: sql<Rule>`
    select m.name as "on", 'unique (' ||
      (select group_concat(c.name, ', ') from pragma_index_info(i.name) c) || ')' ||
      case when i.partial then substr(x.sql, instr(x.sql, ' where ')) else '' end as rule
    from sqlite_master m join pragma_index_list(m.name) i
      left join sqlite_master x on x.name = i.name
    where m.type = 'table' and i."unique"
    union all
    select m.name, 'references ' || f."table" || ' from ' || f."from" || ' on delete ' || f.on_delete
    from sqlite_master m join pragma_foreign_key_list(m.name) f where m.type = 'table'
    union all
    select tbl_name, 'trigger ' || name from sqlite_master where type = 'trigger'`,
};
