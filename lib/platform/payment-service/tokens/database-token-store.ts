import "server-only";
import * as z from "zod";
import { takeLease } from "@/lib/platform/database/lease";
import { db } from "@/lib/platform/database/open";
import { steadyNow } from "@/lib/platform/database/steady-clock";
import { tokenTimings } from "@/lib/platform/runtime/timings";
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
 * take.
 */
export function databaseTokenStore({ exchangeMs }: { exchangeMs: number }): TokenStore {
  const leaseMs = tokenTimings.lockMs;
  return {
    async get(key) {
      const row = await db()
        .selectFrom("tokens")
        .select(["issue", "token_ciphertext", "fault_json"])
        .select(sql<number>`expires_at - ${steadyNow()}`.as("remainingMs"))
        .where("connection_id", "=", key.connectionId)
        .where("version", "=", key.version)
        .where("service", "=", key.service)
        .executeTakeFirst();
      if (!row || row.remainingMs <= 0) return null;
      const { remainingMs, issue } = row;
      if (row.fault_json !== null) {
        const details = rejection.parse(JSON.parse(row.fault_json));
        const fault = makeFault("credentials_rejected", "token", details);
        return { entry: { kind: "rejected", fault }, remainingMs };
      }
      const token = await opened(key, row.token_ciphertext ?? "");
      return token && { entry: { kind: "token", token, issue }, remainingMs };
    },

    async set(key, entry, lifeMs) {
      if (lifeMs <= 0) return;
      const { issue, token_ciphertext, fault_json } = await contentOf(key, entry);
      const expiresAt = sql<number>`${steadyNow()} + cast(${Math.floor(lifeMs)} as integer)`;
      await db()
        .insertInto("tokens")
        .columns([
          ...(["connection_id", "version", "service"] as const),
          ...(["issue", "token_ciphertext", "fault_json", "expires_at"] as const),
        ])
        // The connection may be gone by now.
        .expression(
          db()
            .selectFrom("connections")
            .where("id", "=", key.connectionId)
            .select(({ cast, val }) => [
              "id",
              cast<number>(val(key.version), "integer").as("version"),
              cast<string>(val(key.service), "text").as("service"),
              cast<string>(val(issue), "text").as("issue"),
              cast<string | null>(val(token_ciphertext), "text").as("token_ciphertext"),
              cast<string | null>(val(fault_json), "text").as("fault_json"),
              expiresAt.as("expires_at"),
            ]),
        )
        .onConflict((conflict) =>
          conflict
            .column("connection_id")
            .doUpdateSet(({ ref }) => ({
              version: ref("excluded.version"),
              service: ref("excluded.service"),
              issue: ref("excluded.issue"),
              token_ciphertext: ref("excluded.token_ciphertext"),
              fault_json: ref("excluded.fault_json"),
              expires_at: ref("excluded.expires_at"),
            }))
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
        renewForMs: exchangeMs + leaseMs,
        waitMs: 2 * exchangeMs + leaseMs,
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

async function contentOf(key: TokenKey, entry: TokenEntry) {
  if (entry.kind === "token") {
    const { issue, token } = entry;
    const token_ciphertext = await encryptFor(db(), key.partnerId, identityOf(key), token);
    return { issue, token_ciphertext, fault_json: null };
  }
  const { upstreamStatus, upstreamText } = entry.fault;
  const fault_json = JSON.stringify({ upstreamStatus, upstreamText });
  return { issue: "", token_ciphertext: null, fault_json };
}

/** null where it does not open, because it was altered or its key is gone: another exchange takes its place. */
async function opened(key: TokenKey, ciphertext: string): Promise<Secret | null> {
  try {
    return await decryptFor(db(), key.partnerId, identityOf(key), ciphertext);
  } catch (error) {
    if (error instanceof EnvelopeError) return null;
    throw error;
  }
}

function identityOf({ connectionId, version }: TokenKey): FieldIdentity {
  return { table: "tokens", row: `${connectionId}:${version}`, column: "token" };
}
