import { configure } from "@/lib/platform/database/testing/configure";
import { db } from "@/lib/platform/database/open";
import { DatabaseUnavailable } from "@/lib/platform/database/unavailable";
import type { AuthOptions } from "next-auth";
import { expect, it, vi } from "vitest";
import { handleAuth } from "./handle-auth";

vi.mock("next/headers", () => ({
  cookies: async () => new Map(),
  headers: async () => new Headers(),
}));
vi.mock("next-auth", () => ({
  default: async (_request: unknown, _context: unknown, { events }: AuthOptions) => {
    try {
      await events?.signOut?.({ token: { sid: "a session" } } as never);
    } catch {
      // As next-auth does (core/errors.js, eventsErrorHandler).
    }
    return Response.json({ url: "https://gancho.example/sign-in" });
  },
}));

it("reports a sign-out as done only where the database has it (threat: a copy of the cookie that stays valid)", async () => {
  await configure({ GANCHO_URL: "https://gancho.example" });
  const signOut = () =>
    handleAuth(new Request("https://gancho.example/api/auth/signout", { method: "POST" }), "q1");
  vi.spyOn(db(), "transaction").mockImplementationOnce(() => {
    throw new DatabaseUnavailable("no_answer", "no answer in time");
  });
  await expect(signOut()).rejects.toMatchObject({ reason: "no_answer" });
  expect((await signOut()).status).toBe(200);
});
