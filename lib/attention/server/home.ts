import "server-only";
import { landing } from "@/lib/attention/model/attention";
import type { Viewer } from "@/lib/platform/access/viewer";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { attentionOf } from "./attention";

/**
 * Where a person begins: staff with the list of partners, others with the webhooks of the environment that needs
 * attention, or that they used last; null for a person without either. `last`: as `placeName` names it, from a cookie.
 */
export async function homePath(
  { staffRole, memberships }: Viewer,
  last: string | null,
): Promise<string | null> {
  if (staffRole) return "/partners";
  const all = await attentionOf(
    db(),
    new Map(memberships.map(({ partnerId, role }) => [partnerId, role])),
  );
  const { productionEnvironments } = env();
  const places = [...all].flatMap(([partner, environments]) =>
    environments.map((each) => ({
      ...each,
      partner,
      isProduction: productionEnvironments.has(each.environment),
    })),
  );
  const place = landing(places, last);
  return place && `/partners/${place.partner}/${place.environment}/webhooks`;
}
