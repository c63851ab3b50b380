import Libsql from "libsql";
import pg from "pg";
import { vi } from "vitest";

export const isPostgres = process.env["TEST_ENGINE"] === "postgres";

/**
 * What this process sends to its database from now on, in order. To PostgreSQL that is all that goes over the wire, the
 * begin and the end of each transaction included; of the embedded database, `commits` has the latter.
 */
export function watchStatements() {
  const statements: string[] = [];
  const commits = { count: 0 };
  if (isPostgres) watchPostgres(statements);
  else watchEmbedded(statements, commits);
  /** Of Gancho's own: the sandbox writes its key words large. */
  const sentBy = async (work: () => Promise<unknown>): Promise<string[]> => {
    statements.length = 0;
    commits.count = 0;
    await work();
    return statements.filter((text) => !/^(SELECT|INSERT)/.test(text));
  };
  return { sentBy, commits };
}

function watchPostgres(statements: string[]): void {
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  vi.spyOn(pg.Client.prototype, "query").mockImplementation(function (this: pg.Client, ...args) {
    const [text] = args as unknown[];
    // What an earlier file of this process left to do is in that file's database.
    const [address] = (process.env["DATABASE_URL"] ?? "").split("?");
    if (address?.endsWith(`/${this.database ?? ""}`))
      statements.push(typeof text === "string" ? text : String((text as { text: string }).text));
    return query.apply(this, args) as never;
  });
}

function watchEmbedded(statements: string[], commits: { count: number }): void {
  // Prepared once and used many times, so that only the use counts.
  const texts = new WeakMap<object, string>();
  const { prototype } = Libsql as unknown as {
    prototype: { prepare: (text: string) => object; exec: (text: string) => void };
  };
  const exec = prototype.exec;
  vi.spyOn(prototype, "exec").mockImplementation(function (this: unknown, text: string) {
    if (text === "commit") commits.count += 1;
    exec.call(this, text);
  });
  const prepare = prototype.prepare;
  vi.spyOn(prototype, "prepare").mockImplementation(function (this: unknown, text: string) {
    const statement = prepare.call(this, text);
    texts.set(statement, text);
    return statement;
  });
  const memory = new Libsql(":memory:");
  const ofStatement = Object.getPrototypeOf(memory.prepare("select 1")) as Record<
    "all" | "run",
    (...args: unknown[]) => unknown
  >;
  for (const name of ["all", "run"] as const) {
    const use = ofStatement[name];
    vi.spyOn(ofStatement, name).mockImplementation(function (this: object, ...args) {
      statements.push(texts.get(this) ?? "");
      return use.apply(this, args);
    });
  }
}
