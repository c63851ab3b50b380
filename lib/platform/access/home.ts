import "server-only";
import { env } from "@/lib/platform/env/env";
import type { Viewer } from "./viewer";

/** Where a person begins: staff with all partners, others with their first partner's webhooks; null for nobody's member. */
export function homeOf(viewer: Viewer): string | null {
  if (viewer.staffRole) return "/partners";
  const [first] = viewer.memberships;
  const [environment] = env().environments.keys();
  return first && environment ? `/partners/${first.partnerId}/${environment}/webhooks` : null;
}
