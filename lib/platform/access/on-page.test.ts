import { log } from "@/lib/platform/log/log";
import { ProblemError } from "@/lib/platform/http/model/problem";
import type { ProblemCode } from "@/lib/platform/http/model/problem-code";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { beforeEach, expect, it, vi } from "vitest";
import { onPage, unlessRefused } from "./on-page";

vi.mock("next/headers", () => ({
  headers: async () => new Headers({ "x-gancho-client-address": "192.0.2.7" }),
}));

const path = "/partners/aurora/sandbox/webhooks?callbackUrl=a-secret";
const refuse = (code: ProblemCode) => Promise.reject(new ProblemError(code));

const warned = vi.spyOn(log, "warn");
beforeEach(() => {
  warned.mockClear();
  signInAs("ana");
});

it("logs who was refused a page and from where, without the query (threat: looking for partners unseen)", async () => {
  await expect(onPage(path, refuse("not_found"))).rejects.toThrow("NEXT_HTTP_ERROR_FALLBACK;404");
  await expect(onPage(path, refuse("forbidden"))).rejects.toThrow(ProblemError);
  await expect(onPage(path, refuse("support_view_required"))).rejects.toThrow("NEXT_REDIRECT");
  const lines = ["not_found", "forbidden", "support_view_required"].map((code) => [
    {
      code,
      path: "/partners/aurora/sandbox/webhooks",
      userId: "ana",
      clientAddress: "192.0.2.7",
    },
    "refused",
  ]);
  expect(warned.mock.calls).toEqual(lines);
});

it("logs once what a page says in words instead of an error", async () => {
  for (const code of ["forbidden", "not_found"] as const)
    expect(await onPage(path, unlessRefused(path, refuse(code)))).toBe(code);
  expect(warned).toHaveBeenCalledTimes(2);
});
