import "server-only";
import { processWide } from "@/lib/process-wide";

/** A look that is shared: those who ask before it has begun wait for it, all others for the one after it. */
type Shared<Result> = { begun: boolean; result: Promise<Result>; next: Shared<Result> | null };

/** Looks under way; each leaves when it ends, so there are never more than connections being read now. */
const underWay = () => processWide("reads", () => new Map<string, Shared<unknown>>());

/**
 * One look for all who want the same thing at the same time, so that a hundred readers of a slow service are two calls
 * to it at the most. An answer is as old as its question: nobody is given one to a question from before they asked.
 * `work` calls `begin` just before it asks the service.
 */
export function readTogether<Result>(
  name: string,
  work: (begin: () => void) => Promise<Result>,
): Promise<Result> {
  const current = underWay().get(name) as Shared<Result> | undefined;
  if (!current) return start(name, work, Promise.resolve()).result;
  if (!current.begun) return current.result;
  current.next ??= start(name, work, current.result);
  return current.next.result;
}

function start<Result>(
  name: string,
  work: (begin: () => void) => Promise<Result>,
  after: Promise<unknown>,
): Shared<Result> {
  const shared: Shared<Result> = {
    begun: false,
    next: null,
    result: after
      .catch(() => undefined)
      .then(() => {
        underWay().set(name, shared);
        return work(() => (shared.begun = true));
      })
      .finally(() => {
        if (!shared.next && underWay().get(name) === shared) underWay().delete(name);
      }),
  };
  if (!underWay().has(name)) underWay().set(name, shared);
  return shared;
}
