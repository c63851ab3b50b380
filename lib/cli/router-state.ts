import * as z from "zod";

const segment = z.union([
  z.string(),
  z.tuple([z.string(), z.string(), z.string(), z.nullable(z.array(z.string()))]),
]);

/** What the framework's own pages send of where they are; further members are theirs to judge. */
const tree: z.ZodType = z.lazy(() =>
  z.tuple([segment, z.record(z.string(), tree)]).rest(z.unknown()),
);

/**
 * Whether a `next-router-state-tree` header can be read. The framework fails over one that cannot, as if the fault were
 * its own; without the header it answers with the whole page.
 */
export function isRouterState(header: string): boolean {
  try {
    return tree.safeParse(JSON.parse(decodeURIComponent(header))).success;
  } catch {
    return false;
  }
}
