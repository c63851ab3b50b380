import { PUT as stepUp } from "@/app/api/account/step-up/route";
import { POST as addStaff } from "@/app/api/staff/route";
import { insertUser } from "@/lib/webhooks/testing/rows";
import { signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { db } from "@/lib/platform/database/open";
import { inWorld, partner } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, vi } from "vitest";

vi.mock("next/headers", () => ({
  cookies: async () => ({ get: () => undefined }),
  headers: async () => new Headers(),
}));

inWorld({ as: null });

/** What only serves to sign in without the provider, or to invite somebody to. */
const closed = [
  "DELETE /account/one-time-codes",
  "POST /account/one-time-codes",
  "PUT /account/one-time-codes",
  "POST /account/password",
  "POST /account/recovery-codes",
  "POST /invitations/accept",
  "POST /invitations/look",
  "POST /partners/[partner]/first-admin",
  "POST /partners/[partner]/members",
  "DELETE /partners/[partner]/members/invitations/[invitation]",
  "POST /password-links",
  "POST /password-links/look",
  "POST /password-links/use",
  "POST /sign-in/code",
  "POST /sign-in/passkey",
  "PUT /sign-in/passkey",
  "POST /sign-in/password",
].sort();

const methods = ["POST", "PUT", "PATCH", "DELETE"] as const;
type Handler = (
  request: Request,
  context: { params: Promise<Record<string, string>> },
) => Promise<Response>;

async function writingRoutes(): Promise<[string, Handler][]> {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
  const found: [string, Handler][] = [];
  for (const file of files.filter((each) => path.basename(each) === "route.ts")) {
    const source = readFileSync(path.join(import.meta.dirname, file), "utf8");
    const handlers = (await import(path.join(import.meta.dirname, file))) as Record<
      string,
      Handler
    >;
    for (const method of methods)
      if (handlers[method] && new RegExp(`^  ${method}:`, "m").test(source))
        found.push([`${method} /${path.dirname(file)}`, handlers[method]]);
  }
  return found;
}

const origin = "http://localhost:3000";

async function send(
  handler: Handler,
  method: string,
  body: object,
  params: Record<string, string> = {},
): Promise<Response> {
  const request = new Request(origin, {
    method,
    headers: { origin, "x-requested-by": "gancho", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  return handler(request, { params: Promise.resolve(params) });
}

async function statusOf([name, handler]: [string, Handler]): Promise<number> {
  const id = "11111111-1111-4111-8111-111111111111";
  const named = [...name.matchAll(/\[([a-z]+)\]/g)].map(([, param = ""]) => [param, id]);
  const params = { ...Object.fromEntries(named), partner: partner.id, environment: "sandbox" };
  // No route has this field, so that nothing is changed.
  return (await send(handler, name.split(" ")[0] ?? "", { noSuchField: true }, params)).status;
}

it("answers 404 at every route of passwords, codes, links and invitations where the provider is the only way in, and at no other (threat: a way in that nobody watches)", async () => {
  const routes = (await writingRoutes()).filter(
    ([name]) => !/\/(auth|\[\.\.\.unknown\])(\/|$)/.test(name),
  );
  const people = [
    null,
    await partner.person("admin"),
    await insertUser(db(), { staff_role: "operator" }),
  ];
  const answers = async () => {
    const found = new Map<string, number[]>();
    for (const route of routes) {
      const statuses = [];
      for (const person of people) {
        signInAs(person, "", "single_sign_on");
        statuses.push(await statusOf(route));
      }
      found.set(route[0], statuses);
    }
    return found;
  };
  const before = await answers();
  signInAt();
  const now = await answers();
  const gone = [...now].filter(([, statuses]) => statuses.every((status) => status === 404));
  expect(gone.map(([name]) => name).sort()).toEqual(closed);
  for (const name of closed) {
    expect(before.get(name), name).not.toEqual([404, 404, 404]);
    now.delete(name);
    before.delete(name);
  }
  expect(now).toEqual(before);
});

it("checks no password in an open session either, and makes a member of the staff without a link", async () => {
  signInAt();
  signInAs(await insertUser(db(), { staff_role: "operator" }), "", "single_sign_on");
  const password = "velho moinho azul";
  const confirming = await send(stepUp, "PUT", { password });
  expect(await confirming.json()).toMatchObject({ code: "no_password", applied: "no" });
  const email = `${randomUUID()}@staff.example`;
  const added = await send(addStaff, "POST", { email, name: "Rui Prado", role: "support" });
  expect(await added.json()).toMatchObject({ person: { email }, mail: "provider" });
  expect(await db().selectFrom("password_links").selectAll().execute()).toEqual([]);
});
