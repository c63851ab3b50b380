import "server-only";
import { sql, type Kysely, type Migration } from "kysely";
import * as z from "zod/mini";

type Schema = Kysely<unknown>;

const short = "varchar(20)";
const name = "varchar(200)";

/**
 * Who has shown that the address of their account is theirs; which credentials a browser's mark belongs to; what a link
 * proves, and who made it; and why a session ended.
 */
export const provenAddresses: Migration = {
  async up(db: Schema) {
    await db.schema.alterTable("users").addColumn("address_proven_at", "bigint").execute();
    await db.schema.alterTable("users").addColumn("address_proven_by", short).execute();
    await db.schema.alterTable("users").addColumn("unread_notice", "varchar(40)").execute();
    await db.schema
      .alterTable("users")
      .addColumn("credentials_generation", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("password_links").addColumn("proves", short).execute();
    await db.schema.alterTable("password_links").addColumn("made_by", name).execute();
    await db.schema
      .alterTable("invitations")
      .addColumn("mailed", "integer", (c) => c.notNull().defaultTo(0))
      .execute();
    await db.schema.alterTable("sessions").addColumn("ended_because", "varchar(40)").execute();
    await proveByProvider(db);
    await proveByTerminal(db);
  },
};

/**
 * The provider vouched for the address of whoever is linked. Where such a person has a password as well, nobody knows
 * who set it: their next single sign-on proves the address, and takes the password away.
 */
async function proveByProvider(db: Schema) {
  await sql`update users set
      address_proven_by = 'provider',
      address_proven_at = (select min(linked_at) from identities where identities.user_id = users.id)
    where password_hash is null and id in (select user_id from identities)`.execute(db);
}

const added = z.object({ userId: z.string() });

/**
 * Whoever runs the installation typed these in themselves: those whom the history says so of, and the first operator,
 * who cannot have come in any other way and may be older than that history.
 */
async function proveByTerminal(db: Schema) {
  const { rows } = await sql<{ detail_json: string }>`select detail_json from history
    where partner_id = '@people' and kind = 'staff_added' and actor_id is null`.execute(db);
  const first = await sql<{ id: string }>`select id from users where staff_role = 'operator'
    order by created_at, id limit 1`.execute(db);
  const ids = [
    ...rows.flatMap(
      ({ detail_json }) => added.safeParse(JSON.parse(detail_json)).data?.userId ?? [],
    ),
    ...first.rows.map(({ id }) => id),
  ];
  for (const id of ids)
    await sql`update users set address_proven_by = 'terminal', address_proven_at = created_at
      where id = ${id} and address_proven_at is null`.execute(db);
}
