import { rowOf } from "@/lib/platform/database/testing/rows";
import { expect, test } from "@playwright/test";
import { db } from "@/lib/platform/database/open";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import { requestOf, withVariants } from "@/e2e/access/mutations";
import { cookieOf, userIdOf } from "@/e2e/fixtures/signed-in";
import { send } from "./send";

let callers: Callers;
test.beforeAll(async () => {
  callers = await makeCallers();
});

/** Sends the bodies to the mutations as a person with the permission; lists the answers that are wrong. */
async function unlike(
  bodies: Record<string, string | Buffer>,
  expected: (status: number, code: string | undefined) => boolean,
): Promise<Record<string, unknown>> {
  const found: Record<string, unknown> = {};
  for (const { mutation, variant } of withVariants(Object.entries(bodies))) {
    const [what, body] = variant;
    const { status, code } = await send({ ...requestOf(mutation, callers), body });
    if (!expected(status, code)) found[`${mutation.name}: ${what}`] = { status, code };
  }
  return found;
}

const malformed = (status: number, code: string | undefined) =>
  status === 400 && code === "malformed_request";

test("every mutation refuses what two readers could take for two things, or what a parser could fail of (threats: prototype pollution, a key given twice, exhausting a parser)", async () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  const bodies = {
    __proto__1: '{"__proto__":{"role":"admin"}}',
    "__proto__ in escapes": '{"\\u005f_proto__":{"role":"admin"}}',
    constructor: '{"constructor":{"prototype":{"role":"admin"}}}',
    prototype: '{"prototype":{}}',
    "__proto__ further inside": '{"authorization":{"__proto__":{"action":"keep"}}}',
    "__proto__ in a list": '[{"__proto__":1}]',
    "a key twice": '{"role":"viewer","role":"admin"}',
    "a key twice in escapes": '{"role":"viewer","r\\u006fle":"admin"}',
    "a key twice further inside": '{"authorization":{"action":"keep","action":"remove"}}',
    nothing: "",
    "half of it": '{"role":',
    "two texts": "{}{}",
    "a comment": "{/**/}",
    "a trailing comma": '{"role":"admin",}',
    "another number": '{"version":NaN}',
    "a byte order mark": "\uFEFF{}",
    "bytes that are no UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    "UTF-16": Buffer.from("{}", "utf16le"),
    "a form": "role=admin",
    "nine lists": nested(9),
    "eight thousand lists": nested(8_000),
    "nine objects": '{"a":'.repeat(9) + "1" + "}".repeat(9),
  };
  expect(await unlike(bodies, malformed)).toEqual({});
});

test("every mutation refuses a body over 16 KiB, announced or not (threat: exhausting memory)", async () => {
  const tooLarge = (status: number) => status === 413;
  const text = JSON.stringify({ role: "x".repeat(16 * 1024) });
  expect(await unlike({ "just over": text, much: " ".repeat(300_000) }, tooLarge)).toEqual({});
  // What is not read any more fits into the buffers of the connection: else the caller may find it closed in its face.
  for (const { mutation, variant: kilobytes } of withVariants([20, 100])) {
    const sent = requestOf(mutation, callers);
    const response = await fetch((process.env["E2E_URL"] ?? "") + sent.path, {
      method: sent.method,
      headers: sent.headers,
      body: new ReadableStream({
        start: (stream) => {
          for (let part = 0; part < kilobytes; part += 1) stream.enqueue(Buffer.alloc(1_024, 0x20));
          stream.close();
        },
      }),
      duplex: "half",
    } as RequestInit);
    expect(response.status, `${mutation.name}, ${kilobytes} KB, its length not said`).toBe(413);
  }
});

test("every mutation refuses fields that nobody offered, whatever they promise (threat: giving oneself a role)", async () => {
  const attempts = [
    { staff_role: "operator" },
    { staffRole: "operator" },
    { isAdmin: true },
    { partner_id: callers.partner.id },
    { userId: "11111111-1111-4111-8111-111111111111" },
    { viewer: { role: "admin" } },
    { $where: "1" },
  ];
  const bodies = Object.fromEntries(
    attempts.map((attempt) => [Object.keys(attempt)[0], JSON.stringify(attempt)]),
  );
  const refused = (status: number, code: string | undefined) =>
    status === 422 && code === "invalid_fields";
  expect(await unlike(bodies, refused)).toEqual({});
});

test("no role can be requested beyond a partner's, and none for oneself (threat: role escalation)", async () => {
  const { partner, cookies } = callers;
  const origin = process.env["E2E_URL"] ?? "";
  const email = await partner.person("viewer");
  const [cookie, id] = [await cookieOf(email), await userIdOf(email)];
  const call = (cookieHeader: string, method: string, path: string, body: object) =>
    send({
      method,
      path,
      headers: {
        cookie: cookieHeader,
        origin,
        "x-requested-by": "gancho",
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
  const members = `/api/partners/${partner.id}/members`;
  for (const role of [
    "operator",
    "support",
    "owner",
    "ADMIN",
    "",
    ["admin"],
    { role: "admin" },
    1,
  ]) {
    expect((await call(cookies.admin, "PATCH", `${members}/${id}`, { role })).status).toBe(422);
    const invited = { email: `new@${partner.id}.example`, role };
    expect((await call(cookies.admin, "POST", members, invited)).status).toBe(422);
  }
  for (const [who, cookieHeader] of [
    ["viewer", cookie],
    ["editor", cookies.editor],
  ] as const) {
    const own = who === "viewer" ? id : await someEditor(partner.id);
    for (const role of ["editor", "admin"])
      expect((await call(cookieHeader, "PATCH", `${members}/${own}`, { role })).code).toBe(
        "forbidden",
      );
    const friend = { email: `friend@${partner.id}.example`, role: "admin" };
    expect((await call(cookieHeader, "POST", members, friend)).code).toBe("forbidden");
  }
  const staff = { email: `staff@${partner.id}.example`, name: "S", role: "operator" };
  expect((await call(cookies.admin, "POST", "/api/staff", staff)).status).toBe(404);
  expect((await call(cookies["support with a view"], "POST", "/api/staff", staff)).status).toBe(
    403,
  );
  const rows = await db()
    .selectFrom("memberships")
    .innerJoin("users", "users.id", "memberships.user_id")
    .select(["memberships.role", "users.staff_role"])
    .where("user_id", "=", id)
    .execute();
  expect(rows).toEqual([{ role: "viewer", staff_role: null }]);
});

async function someEditor(partnerId: string): Promise<string> {
  const { user_id } = await rowOf("memberships", { partner_id: partnerId, role: "editor" });
  return user_id;
}
