import { db } from "@/lib/platform/database/open";
import { insert } from "@/lib/platform/database/testing/rows";
import { emptyBody, read, routes, write } from "@/lib/platform/http/route";
import { randomUUID } from "node:crypto";
import { expect } from "vitest";

/** GANCHO_URL, as its routes need it. */
export const origin = "https://gancho.example";

export async function answerOf(
  route: ReturnType<typeof routes>["GET"],
  request = new Request(`${origin}/api/x`),
) {
  const began = performance.now();
  const response = await route(request, { params: Promise.resolve({}) });
  const { status, headers } = response;
  const body = (await response.json()) as Record<string, unknown>;
  return { status, headers, body, ms: performance.now() - began };
}

/** Stands for the rest of the dashboard: one route that reads and one that writes. */
const dashboard = routes("x", {
  GET: read({
    access: async () => undefined,
    handle: async () => Response.json(await db().selectFrom("markers").selectAll().execute()),
  }),
  POST: write({
    access: async () => undefined,
    body: () => emptyBody,
    handle: async () => {
      await insert("markers", { name: randomUUID(), done_at: 1 });
      return Response.json({});
    },
  }),
});
export const look = () => answerOf(dashboard.GET);
export const change = () =>
  answerOf(
    dashboard.POST,
    new Request(`${origin}/api/x`, {
      method: "POST",
      headers: { origin, "x-requested-by": "gancho", "content-type": "application/json" },
      body: "{}",
    }),
  );

export const unavailable = (applied?: string) => ({
  status: 503,
  body: expect.objectContaining({
    code: "database_unavailable",
    retryable: true,
    retryAfter: expect.any(Number) as number,
    ...(applied && { applied }),
  }) as unknown,
});
