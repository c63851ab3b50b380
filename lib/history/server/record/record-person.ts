import "server-only";
import type { Database } from "@/lib/platform/database/tables";
import { people } from "@/lib/platform/secrets/model/people";
import type { Transaction } from "kysely";
import type { HistoryDetail, PeopleKind } from "@/lib/history/model/entry";
import { recordHistory } from "./record";

export type PersonEntry = {
  [Kind in PeopleKind]: {
    kind: Kind;
    /** null for an attempt in nobody's name, and for acts at the terminal. */
    who: { id: string; name: string } | null;
    clientAddress: string | null;
    requestId: string | null;
    outcome: string | null;
    detail: HistoryDetail[Kind];
  };
}[PeopleKind];

/** The operator at the terminal, without a request. */
export const atTheTerminal = { who: null, clientAddress: null, requestId: null } as const;

/**
 * Appends one entry to the chain of the people of the installation, inside the caller's transaction, and as its last
 * step: everybody's sign-ins wait for one another from here to the commit, and the transaction that holds the end of
 * the chain must not wait for anything else. So nothing slow comes after it, and two transactions cannot wait for each
 * other.
 */
export async function recordPerson(trx: Transaction<Database>, entry: PersonEntry): Promise<void> {
  const { who, clientAddress, ...what } = entry;
  await recordHistory(trx, {
    ...what,
    partnerId: people,
    environment: null,
    types: [],
    actor: who && { id: who.id, name: who.name, clientAddress },
    clientAddress,
  });
}
