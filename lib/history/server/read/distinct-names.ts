import "server-only";
import { distinctNames } from "@/lib/platform/auth/person-names";
import type { Executor } from "@/lib/platform/database/open";
import * as z from "zod/mini";

const person = z.object({ id: z.string(), name: z.string() });
const withAuthor = z.looseObject({ proposal: z.looseObject({ author: person }) });

type Named = { actor: z.infer<typeof person> | null; detail: unknown };

/** The entries, with the names of actors and authors changed where another person could have the same one. */
export async function withDistinctNames<Entry extends Named>(
  executor: Executor,
  partnerId: string,
  entries: readonly Entry[],
): Promise<Entry[]> {
  const named = entries.map((entry) => {
    const { data: proposed } = z.safeParse(withAuthor, entry.detail);
    return { entry, proposed };
  });
  const called = named.flatMap(({ entry: { actor }, proposed }) =>
    [actor, proposed?.proposal.author].filter((one) => one !== null && one !== undefined),
  );
  const nameOf = await distinctNames(
    executor,
    partnerId,
    called.map(({ id }) => id),
  );
  return named.map(({ entry, proposed }) => {
    const { actor } = entry;
    const author = proposed?.proposal.author;
    return {
      ...entry,
      actor: actor && { ...actor, name: nameOf(actor.id) },
      ...(author && {
        detail: {
          ...proposed,
          proposal: { ...proposed.proposal, author: { ...author, name: nameOf(author.id) } },
        },
      }),
    };
  });
}
