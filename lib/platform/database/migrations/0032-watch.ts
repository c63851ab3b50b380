import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";
const environment = "varchar(40)";
const baseUrl = "varchar(2048)";

/** When each connection is read next without anybody asking, and what the readings showed. */
export const watch: Migration = {
  async up(db: Schema) {
    await turns(db);
    await days(db);
    await services(db);
  },
};

async function turns(db: Schema) {
  await db.schema
    .createTable("watch_turns")
    .addColumn("connection_id", id, (c) =>
      c.primaryKey().references("connections.id").onDelete("cascade"),
    )
    .addColumn("environment", environment, (c) => c.notNull())
    .addColumn("due_at", "bigint", (c) => c.notNull())
    .addColumn("lease_until", "bigint", (c) => c.notNull())
    .addColumn("holder", id)
    .addColumn("version", "integer")
    .addColumn("base_url", baseUrl)
    .addColumn("client_id", "varchar(400)")
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("fault_code", "varchar(40)")
    .addColumn("failing_since", "bigint")
    .addColumn("told_failing_at", "bigint")
    .addColumn("confirmed_at", "bigint")
    .addColumn("outside_types", "varchar(40)", (c) => c.notNull())
    .addColumn("outside_at", "bigint")
    .addColumn("missing_since", "bigint")
    .addColumn("unprotected_since", "bigint")
    .addColumn("attention_since", "bigint")
    .execute();
  await db.schema
    .createIndex("watch_turns_due")
    .on("watch_turns")
    .columns(["environment", "due_at"])
    .execute();
  await db.schema
    .createIndex("watch_turns_failing")
    .on("watch_turns")
    .columns(["environment", "failing_since"])
    .where(sql.ref("failing_since"), "is not", null)
    .execute();
  await db.schema
    .createIndex("watch_turns_attention")
    .on("watch_turns")
    .columns(["environment", "attention_since", "connection_id"])
    .where(sql.ref("attention_since"), "is not", null)
    .execute();
}

async function days(db: Schema) {
  const table = db.schema
    .createTable("watch_days")
    .addColumn("connection_id", id, (c) =>
      c.notNull().references("connections.id").onDelete("cascade"),
    )
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("readings", "integer", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .addColumn("outside", "integer", (c) => c.notNull())
    .addColumn("slowest_ms", "integer", (c) => c.notNull())
    .addPrimaryKeyConstraint("watch_days_pk", ["connection_id", "day"]);
  // By far the largest of these tables: in SQLite the rows then are the index.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await (isPostgres ? table : table.modifyEnd(sql`without rowid`)).execute();
  await db.schema.createIndex("watch_days_by_day").on("watch_days").column("day").execute();
  await db.schema
    .createIndex("watch_days_outside")
    .on("watch_days")
    .column("day")
    .where(sql.ref("outside"), ">", sql.lit(0))
    .execute();
  await db.schema
    .createTable("watch_hours")
    .addColumn("environment", environment, (c) => c.notNull())
    .addColumn("hour", "integer", (c) => c.notNull())
    .addColumn("readings", "integer", (c) => c.notNull())
    .addColumn("failed", "integer", (c) => c.notNull())
    .addColumn("outside", "integer", (c) => c.notNull())
    .addColumn("answers_json", "text", (c) => c.notNull())
    .addPrimaryKeyConstraint("watch_hours_pk", ["environment", "hour"])
    .execute();
}

async function services(db: Schema) {
  await db.schema
    .createTable("watch_services")
    .addColumn("environment", environment, (c) => c.notNull())
    .addColumn("base_url", baseUrl, (c) => c.notNull())
    .addColumn("paced_until", "bigint", (c) => c.notNull())
    .addColumn("paused_until", "bigint", (c) => c.notNull())
    .addColumn("faults", "integer", (c) => c.notNull())
    .addColumn("down_since", "bigint")
    .addColumn("probe_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("watch_services_pk", ["environment", "base_url"])
    .execute();
  await db.schema
    .createTable("watch_workers")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("seen_at", "bigint", (c) => c.notNull())
    .execute();
}
