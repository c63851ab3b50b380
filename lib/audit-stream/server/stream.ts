import "server-only";
import type { HistoryKind } from "@/lib/history/model/entry";
import { presentRows } from "@/lib/history/server/read/present-row";
import { holdLease, renewLease, takeLease, type Lease } from "@/lib/platform/database/lease";
import { db, type Db } from "@/lib/platform/database/open";
import type { Database } from "@/lib/platform/database/tables";
import { people } from "@/lib/platform/secrets/people";
import type { Transaction } from "kysely";

/** Takes lines durably: once it resolves, no crash of this program or of the machine loses them. */
export type Sink = (lines: readonly string[]) => Promise<void>;

type Options = {
  /** Streams of different names are independent: each gets everything. */
  name: string;
  sink: Sink;
  /** Called for a chain that could not be read this time; the next step tries it again. */
  onTrouble: (error: unknown, chain: string) => void;
  /** Chains with new entries that one step handles. */
  chainsPerBatch?: number;
};

/** After this, another program takes over from one that died. Renewed with each batch. */
const leaseMs = 30_000;

/** Entries that are read, written and noted at once. */
const batchSize = 500;

type News = { chain: string; head: number; done: number };

/**
 * Writes every entry of the history to a sink, at least once, each chain in its order. The position is stored after the
 * lines are durable, so a program that dies in between writes them again, with the same ids. The positions of a chain
 * have no gaps and follow the order of commits: everything up to the stored one was written, and nothing can come in
 * before it later.
 */
export class AuditStream {
  readonly #options: Options;
  #lease: Lease | null = null;
  /** The chain that had the last turn. The next one follows it: however busy some are, no other waits forever. */
  #last = "";

  constructor(options: Options) {
    this.#options = options;
  }

  /** Whether this program writes; another one stands by. Several may run, for when one of them dies. */
  async holds(): Promise<boolean> {
    if (this.#lease && (await renewLease(this.#lease, leaseMs))) return true;
    this.#lease = await takeLease(this.#leaseName, { leaseMs, waitMs: 0 });
    return this.#lease !== null;
  }

  /** Writes some new entries; returns how many. Only for the program that `holds`. Throws `SinkFailed`. */
  async step(): Promise<number> {
    let written = 0;
    for (const news of await this.#news()) {
      if (!(await this.holds())) return written;
      this.#last = news.chain;
      try {
        written += await this.#stream(news);
      } catch (error) {
        if (error instanceof SinkFailed) throw error;
        this.#options.onTrouble(error, news.chain);
      }
    }
    return written;
  }

  async end(): Promise<void> {
    await this.#lease?.release();
    this.#lease = null;
  }

  get #leaseName(): string {
    return `audit-stream:${this.#options.name}`;
  }

  async #news(): Promise<News[]> {
    const rows = await db()
      .selectFrom("history_heads as head")
      .leftJoin("audit_cursors as cursor", (join) =>
        join
          .onRef("cursor.chain", "=", "head.partner_id")
          .on("cursor.stream", "=", this.#options.name),
      )
      .select(({ fn, val }) => [
        "head.partner_id as chain",
        "head.seq as head",
        fn.coalesce("cursor.seq", val(0)).as("done"),
      ])
      .where(({ eb, fn, val }) => eb("head.seq", "!=", fn.coalesce("cursor.seq", val(0))))
      .orderBy(({ eb }) => eb.case().when("head.partner_id", ">", this.#last).then(0).else(1).end())
      .orderBy("head.partner_id")
      .limit(this.#options.chainsPerBatch ?? 100)
      .execute();
    return rows.map(({ chain, head, done }) => ({ chain, head: Number(head), done: Number(done) }));
  }

  async #stream({ chain, head, done }: News): Promise<number> {
    // Cut off: new entries take positions that others had.
    if (head < done) return this.#write(chain, [gap(chain, head + 1, done, "went_back")], head);
    const rows = await db()
      .selectFrom("history")
      .selectAll()
      .where("partner_id", "=", chain)
      .where("seq", ">", done)
      .where("seq", "<=", head)
      .orderBy("seq")
      .limit(batchSize)
      .execute();
    const items = await presentRows(chain, rows);
    const removed = (rows[0]?.seq ?? head) > done + 1 ? await removedOf(chain) : 0;
    const about = chain === people ? {} : { partner: { id: chain, name: await nameOf(chain) } };
    const lines: string[] = [];
    let last = done;
    for (const [at, item] of items.entries()) {
      if (last < removed && item.seq > removed) {
        lines.push(gap(chain, last + 1, removed, "removed"));
        last = removed;
      }
      if (item.seq > last + 1) lines.push(gap(chain, last + 1, item.seq - 1, "missing"));
      // The cursor was restored together with the history: how far the stream had come, nobody knows here.
      if (restorations.has(item.kind)) lines.push(gap(chain, item.seq, null, "went_back"));
      const seal = rows[at]?.mac;
      lines.push(JSON.stringify({ type: "entry", chain, ...about, ...item, seal }));
      last = item.seq;
    }
    if (rows.length < batchSize && last < head) {
      lines.push(gap(chain, last + 1, head, "missing"));
      last = head;
    }
    return this.#write(chain, lines, last);
  }

  async #write(chain: string, lines: readonly string[], seq: number): Promise<number> {
    const lease = this.#lease;
    if (!lease) return 0;
    await this.#options.sink(lines).catch((cause: unknown) => {
      throw new SinkFailed(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    await db()
      .transaction()
      .execute(async (trx) => {
        await holdLease(trx, lease);
        await moveCursor(trx, { stream: this.#options.name, chain, seq });
      });
    return lines.length;
  }
}

/** The sink refused the lines; the next step writes them again. */
export class SinkFailed extends Error {}

async function moveCursor(trx: Transaction<Database>, cursor: Database["audit_cursors"]) {
  await trx
    .insertInto("audit_cursors")
    .values(cursor)
    .onConflict((conflict) =>
      conflict.columns(["stream", "chain"]).doUpdateSet({ seq: cursor.seq }),
    )
    .execute();
}

/** The entries that begin a history anew at their position, after a backup was restored. */
const restorations: ReadonlySet<string> = new Set<HistoryKind>([
  "history_restored",
  "installation_restored",
]);

/** Missing entries: the stream itself should tell its readers. `to`: null for all that it wrote from there on. */
function gap(
  chain: string,
  from: number,
  to: number | null,
  reason: "missing" | "went_back" | "removed",
): string {
  return JSON.stringify({ type: "gap", chain, from, to, reason, at: new Date().toISOString() });
}

/**
 * The position up to which `prune-history` has removed a chain, by its own claim; `verify-history` checks whether it
 * did.
 */
async function removedOf(chain: string): Promise<number> {
  const row = await db()
    .selectFrom("history_checkpoints")
    .select("seq")
    .where("partner_id", "=", chain)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

/** An abandoned stream: nothing need be kept for it. */
export async function forgetStream(database: Db, name: string): Promise<boolean> {
  const { numDeletedRows } = await database
    .deleteFrom("audit_cursors")
    .where("stream", "=", name)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

async function nameOf(partnerId: string): Promise<string | null> {
  const partner = db().selectFrom("partners").select("name").where("id", "=", partnerId);
  return (await partner.executeTakeFirst())?.name ?? null;
}
