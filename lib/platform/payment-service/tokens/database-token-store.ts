import "server-only";
import * as z from "zod";
import { takeLease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { EnvelopeError } from "@/lib/platform/secrets/envelope";
import { decryptFor, encryptFor, type FieldIdentity } from "@/lib/platform/secrets/field";
import type { Secret } from "@/lib/platform/runtime/secret";
import { sql } from "kysely";
import { makeFault } from "@/lib/platform/payment-service/answers/make-fault";
import type { TokenEntry, TokenKey, TokenStore } from "./token-store";

/** The parts of a rejection that differ. */
const rejection = z.object({
  upstreamStatus: z.number().optional(),
  upstreamText: z.string().optional(),
});

/**
 * A store that all processes of a database share. Tokens are encrypted under the partner's key; their life is measured
 * on the database's clock, so that the processes' clocks may differ. `exchangeMs`: the longest that an exchange can
 * take; one whose process died is overtaken a second after that.
 */
export function databaseTokenStore({ exchangeMs }: { exchangeMs: number }): TokenStore {
  const leaseMs = exchangeMs + 1_000;
  return {
    async get(key) {
      const row = await db()
        .selectFrom("tokens")
        .innerJoin("connections", "connections.id", "tokens.connection_id")
        .select(["partner_id", "issue", "token_ciphertext", "fault_json"])
        .select(sql<number>`expires_at - ${steadyNow()}`.as("remainingMs"))
        .where("connection_id", "=", key.connectionId)
        .where("tokens.version", "=", key.version)
        .where("tokens.service", "=", key.service)
        .executeTakeFirst();
      if (!row || row.remainingMs <= 0) return null;
      const { remainingMs, issue } = row;
      if (row.fault_json !== null) {
        const details = rejection.parse(JSON.parse(row.fault_json));
        const fault = makeFault("credentials_rejected", "token", details);
        return { entry: { kind: "rejected", fault }, remainingMs };
      }
      const token = await opened(row.partner_id, key, row.token_ciphertext ?? "");
      return token && { entry: { kind: "token", token, issue }, remainingMs };
    },

    async set(key, entry, lifeMs) {
      if (lifeMs <= 0) return;
      const connection = await db()
        .selectFrom("connections")
        .select("partner_id")
        .where("id", "=", key.connectionId)
        .executeTakeFirst();
      if (!connection) return;
      const values = {
        version: key.version,
        service: key.service,
        ...(await contentOf(connection.partner_id, key, entry)),
        expires_at: sql<number>`${steadyNow()} + cast(${Math.floor(lifeMs)} as integer)`,
      };
      await db()
        .insertInto("tokens")
        .values({ connection_id: key.connectionId, ...values })
        .onConflict((conflict) =>
          conflict
            .column("connection_id")
            .doUpdateSet(values)
            // A request that began before an edit does not undo it.
            .where("tokens.version", "<=", key.version),
        )
        .execute();
    },

    async drop({ connectionId }, issue) {
      await db()
        .deleteFrom("tokens")
        .where("connection_id", "=", connectionId)
        .where("issue", "=", issue)
        .execute();
    },

    async forget(connectionId) {
      await db().deleteFrom("tokens").where("connection_id", "=", connectionId).execute();
    },

    async exclusively({ connectionId, version }, work) {
      const lease = await takeLease(`token:${connectionId}:${version}`, {
        leaseMs,
        waitMs: leaseMs + exchangeMs,
      });
      if (!lease) return null;
      try {
        return await work();
      } finally {
        await lease.release();
      }
    },
  };
}

async function contentOf(partnerId: string, key: TokenKey, entry: TokenEntry) {
  if (entry.kind === "token") {
    const { issue, token } = entry;
    const token_ciphertext = await encryptFor(db(), partnerId, identityOf(key), token);
    return { issue, token_ciphertext, fault_json: null };
  }
  const { upstreamStatus, upstreamText } = entry.fault;
  const fault_json = JSON.stringify({ upstreamStatus, upstreamText });
  return { issue: "", token_ciphertext: null, fault_json };
}

/** null where it does not open, because it was altered or its key is gone: another exchange takes its place. */
async function opened(
  partnerId: string,
  key: TokenKey,
  ciphertext: string,
): Promise<Secret | null> {
  try {
    return await decryptFor(db(), partnerId, identityOf(key), ciphertext);
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

function identityOf({ connectionId, version }: TokenKey): FieldIdentity {
  return { table: "tokens", row: `${connectionId}:${version}`, column: "token" };
}
