import { configure } from "@/lib/platform/database/testing/configure";
import { env } from "@/lib/platform/env/env";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { forgetSession, keep, keepSession } from "./browser-cookies";

beforeAll(() => configure());

function cookiesAt(address: string): string[] {
  const { url } = env();
  onTestFinished(() => void Object.assign(env(), { url }));
  Object.assign(env(), { url: new URL(address) });
  const answer = new Response();
  keepSession(answer, "id");
  keep(answer, "code", "pending");
  forgetSession(answer);
  return answer.headers.getSetCookie();
}

it("are out of reach of scripts, other sites and sibling hosts, and end by themselves (threat: theft)", () => {
  expect(cookiesAt("https://gancho.example")).toEqual([
    "__Host-gancho.session=id; Max-Age=28800; SameSite=Lax; Path=/; HttpOnly; Secure",
    "__Host-gancho.code=pending; Max-Age=300; SameSite=Strict; Path=/; HttpOnly; Secure",
    "__Host-gancho.session=; Max-Age=0; SameSite=Lax; Path=/; HttpOnly; Secure",
  ]);
});

it("are the same on a machine of one's own, where there is no TLS", () => {
  expect(cookiesAt("http://localhost:3000")[0]).toBe(
    "gancho.session=id; Max-Age=28800; SameSite=Lax; Path=/; HttpOnly",
  );
});
