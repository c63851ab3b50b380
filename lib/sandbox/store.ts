import { randomBytes } from "node:crypto";
import Database from "libsql";
import { z } from "zod";
import { webhookTypes, type WebhookType } from "@/lib/platform/payment-service/contract/terms";

export type StoredWebhook = {
  type: WebhookType;
  callbackUrl: string;
  /** null: none set. */
  authorization: string | null;
};

export type Registration = {
  types: readonly WebhookType[];
  callbackUrl: string;
  authorization: string | null;
};

export type Store = {
  /** 32 random bytes that sign tokens, made with the store and kept in it. */
  readonly signingKey: Uint8Array;
  /** What a client has registered, in the order of the contract's types. */
  list(clientId: string): StoredWebhook[];
  /** Replaces the configurations of all the types, or of none. Returns once that is on the disk. */
  register(clientId: string, registration: Registration): "created" | "overwritten";
  close(): void;
};

/** Marks the file as a sandbox's ("GNCS"), so that no other program's database is ever written to. */
const applicationId = 0x474e4353;
const schemaVersion = 1;

const schema = `
  CREATE TABLE signing_key (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    bytes BLOB NOT NULL CHECK (length(bytes) = 32)
  ) STRICT;
  CREATE TABLE webhook (
    client_id TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('pix_in', 'pix_out')),
    callback_url TEXT NOT NULL,
    authorization TEXT,
    PRIMARY KEY (client_id, type)
  ) STRICT;
`;

const webhookRows = z.array(
  z.object({
    type: z.enum(webhookTypes),
    callbackUrl: z.string(),
    authorization: z.string().nullable(),
  }),
);

/**
 * Opens the sandbox's records in an SQLite file, or in memory (null: gone when closed).
 * Throws if that cannot be done, or if the file is not a sandbox's.
 */
export function openStore(file: string | null): Store {
  const database = new Database(file ?? ":memory:");
  try {
    prepare(database);
    return {
      signingKey: readSigningKey(database),
      list: (clientId) => list(database, clientId),
      register: (clientId, registration) => register(database, clientId, registration),
      close() {
        database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
        database.close();
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepare(database: Database.Database): void {
  database.exec("PRAGMA busy_timeout = 5000");
  refuseForeignDatabase(database);
  // An answer promises that the change outlives a crash of the process and of the machine.
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  // A second process that starts at the same time waits here, and then finds the tables.
  database
    .transaction(() => {
      if (readNumber(database, countTables) === 0) create(database);
    })
    .immediate();
  const check = database.prepare("PRAGMA quick_check(1)").raw().get();
  if (!z.tuple([z.literal("ok")]).safeParse(check).success) throw new Error("it is damaged");
}

const countTables = "SELECT count(*) FROM sqlite_schema";

function refuseForeignDatabase(database: Database.Database): void {
  if (readNumber(database, countTables) === 0) return;
  if (readNumber(database, "PRAGMA application_id") !== applicationId) {
    throw new Error("it is another program's");
  }
  if (readNumber(database, "PRAGMA user_version") > schemaVersion) {
    throw new Error("it was written by a newer version of the sandbox");
  }
}

function create(database: Database.Database): void {
  database.exec(schema);
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${schemaVersion}`);
  // In a list: bare bytes would be taken for an object of named parameters.
  database.prepare("INSERT INTO signing_key (id, bytes) VALUES (1, ?)").run([randomBytes(32)]);
}

function readNumber(database: Database.Database, sql: string): number {
  return z.tuple([z.number()]).parse(database.prepare(sql).raw().get())[0];
}

function readSigningKey(database: Database.Database): Uint8Array {
  const row = database.prepare("SELECT bytes FROM signing_key").get();
  const parsed = z.object({ bytes: z.instanceof(Uint8Array) }).safeParse(row);
  if (!parsed.success) throw new Error("it has lost its signing key");
  return parsed.data.bytes;
}

function list(database: Database.Database, clientId: string): StoredWebhook[] {
  const found = database
    .prepare(
      `SELECT type, callback_url AS callbackUrl, authorization
       FROM webhook WHERE client_id = ? ORDER BY type`,
    )
    .all(clientId);
  return webhookRows.parse(found);
}

function register(
  database: Database.Database,
  clientId: string,
  { types, callbackUrl, authorization }: Registration,
): "created" | "overwritten" {
  const replace = database.prepare(
    `INSERT INTO webhook (client_id, type, callback_url, authorization) VALUES (?, ?, ?, ?)
     ON CONFLICT (client_id, type)
     DO UPDATE SET callback_url = excluded.callback_url, authorization = excluded.authorization`,
  );
  return database
    .transaction(() => {
      const before = new Set(list(database, clientId).map((webhook) => webhook.type));
      for (const type of types) replace.run(clientId, type, callbackUrl, authorization);
      return types.every((type) => before.has(type)) ? "overwritten" : "created";
    })
    .immediate();
}
