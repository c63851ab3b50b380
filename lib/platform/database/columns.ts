import type { Generated } from "kysely";

/** One column: its definition in SQL, and as `value` the type that rows have in it. */
export class Column<Value> {
  declare readonly value: Value;
  readonly #type: string;
  readonly #rules: string;
  readonly #null: string;

  constructor(type: string, rules = "", notNull = " not null") {
    this.#type = type;
    this.#rules = rules;
    this.#null = notNull;
  }
  get sql(): string {
    return `${this.#type}${this.#null}${this.#rules}`;
  }
  #with<Other>(rule: string): Column<Other> {
    return new Column(this.#type, this.#rules + rule, this.#null);
  }
  nullable(): Column<Value | null> {
    return new Column(this.#type, this.#rules, "");
  }
  /** Inserts may leave the column out. */
  default(value: Value & (string | number)): Column<Generated<Value>> {
    return this.#with(` default ${typeof value === "string" ? `'${value}'` : value}`);
  }
  primaryKey(): Column<Value> {
    return this.#with(" primary key");
  }
  unique(): Column<Value> {
    return this.#with(" unique");
  }
  /** To the `id` of a table that is declared before this one. */
  references(table: string, onDelete?: "cascade"): Column<Value> {
    return this.#with(` references "${table}" ("id")${onDelete ? ` on delete ${onDelete}` : ""}`);
  }
}

export const varchar = <Value extends string = string>(length: number): Column<Value> =>
  new Column(`varchar(${length})`);
export const text = (): Column<string> => new Column("text");
export const integer = <Value extends number = number>(): Column<Value> => new Column("integer");
export const bigint = (): Column<number> => new Column("bigint");

type Index<Name> = {
  on: Name[];
  where?: string;
  unique?: true;
  /** PostgreSQL does without it. */
  onlyOnSqlite?: true;
};

type Rules<Name> = {
  primaryKey?: Name[];
  unique?: Name[][];
  /** To the columns of the same names in a table declared before this one, once a transaction ends. */
  foreignKey?: { on: Name[]; table: string; onDelete: "cascade" };
  /** By name. */
  indexes?: Record<string, Name[] | Index<Name>>;
};

export type Table<Columns = Record<string, Column<unknown>>> = {
  columns: Columns;
  rules: Rules<string>;
};

export function table<Columns extends Record<string, Column<unknown>>>(
  columns: Columns,
  rules: Rules<Extract<keyof Columns, string>> = {},
): Table<Columns> {
  return { columns, rules };
}

/** What a row of the table holds, as Kysely needs to know it. */
export type Row<Declared extends Table> = {
  [Name in keyof Declared["columns"]]: Declared["columns"][Name]["value"];
};

/** The statements that make the table and its indexes. */
export function creating(
  name: string,
  { columns, rules }: Table,
  { onPostgres }: { onPostgres: boolean },
): string[] {
  const list = (names: string[]) => `(${names.map((each) => `"${each}"`).join(", ")})`;
  const { foreignKey } = rules;
  const parts = [
    ...Object.entries(columns).map(([column, { sql }]) => `"${column}" ${sql}`),
    ...(rules.primaryKey ? [`primary key ${list(rules.primaryKey)}`] : []),
    ...(rules.unique ?? []).map((names) => `unique ${list(names)}`),
    ...(foreignKey
      ? [
          `foreign key ${list(foreignKey.on)} references "${foreignKey.table}" ${list(foreignKey.on)} on delete ${foreignKey.onDelete} deferrable initially deferred`,
        ]
      : []),
  ];
  const indexes = Object.entries(rules.indexes ?? {}).flatMap(([index, given]) => {
    const { on, where, unique, onlyOnSqlite }: Index<string> = Array.isArray(given)
      ? { on: given }
      : given;
    if (onlyOnSqlite && onPostgres) return [];
    const create = unique ? "create unique index" : "create index";
    return [`${create} "${index}" on "${name}" ${list(on)}${where ? ` where ${where}` : ""}`];
  });
  return [`create table "${name}" (${parts.join(", ")})`, ...indexes];
}
