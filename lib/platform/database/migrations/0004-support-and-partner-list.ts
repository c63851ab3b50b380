import "server-only";
import { PostgresAdapter, sql, type Kysely, type Migration } from "kysely";

type Schema = Kysely<unknown>;

const id = "varchar(64)";
const partnerId = "varchar(40)";

async function supportViews(db: Schema) {
  await db.schema
    .createTable("support_views")
    .addColumn("id", id, (c) => c.primaryKey())
    .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("partner_id", partnerId, (c) => c.notNull().references("partners.id"))
    .addColumn("session_id_hash", id, (c) => c.notNull())
    .addColumn("reason", "text", (c) => c.notNull())
    .addColumn("started_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  await db.schema
    .createIndex("support_views_open")
    .on("support_views")
    .columns(["user_id", "expires_at"])
    .where(sql.ref("ended_at"), "is", null)
    .execute();
}

async function partnerList(db: Schema) {
  await db.schema
    .createTable("partner_overviews")
    .addColumn("partner_id", partnerId, (c) => c.notNull().references("partners.id"))
    .addColumn("environment", "varchar(40)", (c) => c.notNull())
    .addColumn("confirmed", "integer", (c) => c.notNull())
    .addColumn("pix_in_host", "varchar(255)")
    .addColumn("pix_out_host", "varchar(255)")
    .addColumn("without_authorization", "varchar(40)", (c) => c.notNull())
    .addColumn("fault_code", "varchar(40)")
    .addColumn("fault_request_id", id)
    .addColumn("failing_since", "bigint")
    .addPrimaryKeyConstraint("partner_overviews_pk", ["partner_id", "environment"])
    .execute();
  await db.schema
    .createTable("partner_words")
    .addColumn("partner_id", partnerId, (c) => c.primaryKey().references("partners.id"))
    .addColumn("words", "text", (c) => c.notNull())
    .addColumn("flags", "text", (c) => c.notNull())
    .execute();
  const terms = db.schema
    .createTable("partner_terms")
    .addColumn("term", id, (c) => c.notNull())
    .addColumn("partner_id", partnerId, (c) => c.notNull().references("partners.id"))
    .addPrimaryKeyConstraint("partner_terms_pk", ["term", "partner_id"]);
  // In SQLite the rows then are the index, in the order in which the list is read.
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  await (isPostgres ? terms : terms.modifyEnd(sql`without rowid`)).execute();
}

/** One-time links with which somebody who was given an account chooses its password. */
async function passwordLinks(db: Schema) {
  await db.schema
    .createTable("password_links")
    .addColumn("token_hash", id, (c) => c.primaryKey())
    .addColumn("user_id", id, (c) => c.notNull().references("users.id"))
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("expires_at", "bigint", (c) => c.notNull())
    .addColumn("used_at", "bigint")
    .execute();
  await db.schema
    .createIndex("password_links_of_user")
    .on("password_links")
    .column("user_id")
    .execute();
}

export const supportAndPartnerList: Migration = {
  async up(db: Schema) {
    await supportViews(db);
    await partnerList(db);
    await passwordLinks(db);
  },
};
