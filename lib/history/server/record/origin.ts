import type { Viewer } from "@/lib/platform/access/viewer";
import type { Actor } from "./record";

/** Where a request came from; goes into the history. */
export type Origin = { requestId: string; clientAddress: string | null };

/** The person who asks, as the history names them. */
export function actorOf(viewer: Pick<Viewer, "id" | "name">, { clientAddress }: Origin): Actor {
  return { id: viewer.id, name: viewer.name, clientAddress };
}
