import "server-only";
import { actorsIn } from "@/lib/history/server/read/actors";
import { membersOf, staffPeople } from "@/lib/platform/auth/person-names";
import type { Executor } from "@/lib/platform/database/open";

/**
 * The names that nobody else may take who belongs to these partners: of their members, of everybody in their histories,
 * and of the staff. `except`: the person themself. Checks no access.
 */
export async function namesTaken(
  executor: Executor,
  partners: readonly string[],
  except: string | null = null,
): Promise<string[]> {
  const people = await staffPeople(executor);
  for (const partner of partners)
    people.push(...(await membersOf(executor, partner)), ...(await actorsIn(partner, executor)));
  return people.filter(({ id }) => id !== except).map(({ name }) => name);
}
