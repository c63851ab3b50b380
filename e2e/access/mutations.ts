import type { Callers } from "./callers";
import { identities, outcomeFor, routeTable, type Identity, fill } from "./table";

/** A mutation of the table, and an identity that is allowed to send it. */
type Mutation = { name: string; method: string; address: string; identity: Identity };

/** Every mutation of the table, so that general tests include new ones. */
export const mutations: Mutation[] = Object.entries(routeTable).flatMap(([address, offered]) =>
  Object.entries(offered).flatMap(([method, row]) => {
    const identity = row && identities.find((who) => outcomeFor(row, who) === "yes");
    return method === "GET" || !identity
      ? []
      : [{ name: `${method} ${address}`, method, address, identity }];
  }),
);

/** All variants of the first mutation and one of each other: all share one wrapper, as access-table.spec.ts checks. */
export function withVariants<Variant>(variants: readonly Variant[]) {
  return mutations.flatMap((mutation, at) =>
    variants.slice(0, at === 0 ? undefined : 1).map((variant) => ({ mutation, variant })),
  );
}

/** The mutation as a permitted person would send it: only its body may be refused. */
export function requestOf({ method, address, identity }: Mutation, callers: Callers) {
  const origin = process.env["E2E_URL"] ?? "";
  return {
    method,
    path: fill(address, callers.partner.id),
    headers: {
      cookie: callers.cookies[identity],
      origin,
      "x-requested-by": "gancho",
      "content-type": "application/json",
    } as Record<string, string>,
    body: JSON.stringify({ noSuchField: true }),
  };
}
