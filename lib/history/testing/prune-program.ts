import { pruneChain } from "@/lib/history/server/verify/prune";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";

/** Removes all but the newest entry of the named chain, until it is killed. */
const { historySigningKey: signingKey } = env();
const [, , chain] = process.argv;
if (!signingKey || !chain) throw new Error("no key, or no chain");
await pruneChain(db(), chain, { before: Date.now() + 60_000, signingKey, anchors: [] });
await db().destroy();
