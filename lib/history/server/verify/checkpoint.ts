import "server-only";
import type { Executor } from "@/lib/platform/database/open";
import type { HistoryCheckpointRow } from "@/lib/platform/database/tables";
import { env } from "@/lib/platform/env/env";
import type { Secret } from "@/lib/platform/runtime/secret";
import { createHash, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import * as z from "zod";
import type { ChainEnd } from "./anchor-file";

/**
 * What is left of the oldest entries of a chain after they were removed: which they were, when, and the seal of the
 * last one, which the first remaining entry builds on. Signed with a key that the dashboard does not have.
 */
const statementSchema = z.strictObject({
  is: z.literal("gancho history checkpoint 1"),
  chain: z.string(),
  /** The position of the last removed entry; the first one's was 1, so this is how many were. */
  removed: z.number().int().positive(),
  /** Its seal. */
  seal: z.string(),
  /** When the newest of the removed entries was made, and when they were removed; ISO 8601. */
  newest: z.string(),
  at: z.string(),
  /** SHA-256 of the statement before, hexadecimal; null for the first one. */
  after: z.nullable(z.string()),
});
export type CheckpointStatement = z.infer<typeof statementSchema>;

/** A checkpoint whose signature is good. */
type Checkpoint = ChainEnd & { statement: CheckpointStatement };

/** What a chain begins after: nothing, what a checkpoint says, or one that must not be believed. */
export type ChainStart =
  | { checkpoint: Checkpoint | null; fault: null }
  | {
      checkpoint: null;
      fault: { seq: number; reason: "checkpoint_wrong" | "checkpoint_unsigned" };
    };

export const fromFirstEntry: ChainStart = { checkpoint: null, fault: null };

/** The beginnings of these chains; the others had nothing removed. */
export async function chainStarts(
  executor: Executor,
  chains: readonly string[],
): Promise<ReadonlyMap<string, ChainStart>> {
  if (chains.length === 0) return new Map();
  const rows = await executor
    .selectFrom("history_checkpoints")
    .selectAll()
    .where("partner_id", "in", chains)
    .execute();
  return new Map(rows.map((row) => [row.partner_id, judged(row)]));
}

export async function chainStart(executor: Executor, chain: string): Promise<ChainStart> {
  return (await chainStarts(executor, [chain])).get(chain) ?? fromFirstEntry;
}

function judged(row: HistoryCheckpointRow): ChainStart {
  const seq = Number(row.seq);
  const because = (reason: "checkpoint_wrong" | "checkpoint_unsigned") => ({
    checkpoint: null,
    fault: { seq, reason },
  });
  if (!trustedKeys().includes(row.public_key)) return because("checkpoint_unsigned");
  if (!isSigned(row)) return because("checkpoint_wrong");
  const statement = statementIn(row);
  const isOfThisRow =
    statement?.chain === row.partner_id && statement.removed === seq && statement.seal === row.mac;
  if (!statement || !isOfThisRow) return because("checkpoint_wrong");
  return { checkpoint: { seq, mac: row.mac, statement }, fault: null };
}

/** What a screen says of removed entries. Timestamps are ISO 8601. */
export type RemovedEntries = {
  /** When the newest of them was made. */
  upTo: string;
  /** When the last of them were removed. */
  at: string;
  /** By a key that this installation knows; otherwise anybody who may write to the table may have written it. */
  isSigned: boolean;
};

/** null: nothing was removed, as far as a statement can be read. */
export async function removedEntries(
  executor: Executor,
  chain: string,
): Promise<RemovedEntries | null> {
  const row = await executor
    .selectFrom("history_checkpoints")
    .selectAll()
    .where("partner_id", "=", chain)
    .executeTakeFirst();
  if (!row) return null;
  const statement = statementIn(row);
  if (!statement) return null;
  return { upTo: statement.newest, at: statement.at, isSigned: judged(row).fault === null };
}

function statementIn({ statement }: HistoryCheckpointRow): CheckpointStatement | undefined {
  try {
    return statementSchema.safeParse(JSON.parse(statement)).data;
  } catch {
    return undefined;
  }
}

/** The public keys in the configuration, and that of its signing key. */
function trustedKeys(): readonly string[] {
  const { historyPublicKeys, historySigningKey } = env();
  return historySigningKey
    ? [...historyPublicKeys, publicHalf(historySigningKey)]
    : historyPublicKeys;
}

function isSigned({ statement, public_key, signature }: HistoryCheckpointRow): boolean {
  try {
    const x = Buffer.from(public_key, "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return verify(null, Buffer.from(statement, "utf8"), key, Buffer.from(signature, "base64"));
  } catch {
    return false;
  }
}

/** The row that says so. `before`: the statement that it replaces. */
export function signedCheckpoint(
  signingKey: Secret,
  about: Omit<CheckpointStatement, "is" | "after">,
  before: string | null,
): HistoryCheckpointRow {
  const after = before === null ? null : createHash("sha256").update(before).digest("hex");
  const whole: CheckpointStatement = { is: "gancho history checkpoint 1", ...about, after };
  const statement = JSON.stringify(whole);
  const signature = sign(null, Buffer.from(statement, "utf8"), privateKey(signingKey));
  return {
    partner_id: about.chain,
    seq: about.removed,
    mac: about.seal,
    statement,
    public_key: publicHalf(signingKey),
    signature: signature.toString("base64"),
  };
}

/** What PKCS #8 writes before the 32 bytes of an Ed25519 key (RFC 8410). */
const pkcs8 = Buffer.from("302e020100300506032b657004220420", "hex");

function privateKey(seed: Secret) {
  const key = Buffer.concat([pkcs8, Buffer.from(seed.reveal(), "base64")]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
}

/** The public half of a signing key: 32 bytes in base64, as HISTORY_PUBLIC_KEYS has it. */
export function publicHalf(seed: Secret): string {
  const { x = "" } = createPublicKey(privateKey(seed)).export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("base64");
}

/** The same for other programs. */
export function publicPem(seed: Secret): string {
  return createPublicKey(privateKey(seed)).export({ format: "pem", type: "spki" }).toString();
}
