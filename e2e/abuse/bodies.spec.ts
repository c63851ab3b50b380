import { expect, test } from "@playwright/test";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import { requestOf, withVariants } from "@/e2e/access/mutations";
import { send } from "./send";

let callers: Callers;
test.beforeAll(async () => {
  callers = await makeCallers();
});

/** Sends the bodies to the mutations as a person with the permission; lists the answers that are wrong. */
async function unexpectedAnswers(
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

test("every mutation refuses ambiguous and malformed JSON (threats: prototype pollution, duplicate keys, exhausting a parser)", async () => {
  const bodies = {
    "__proto__ in escapes": '{"\\u005f_proto__":{"role":"admin"}}',
    "a key twice further inside": '{"authorization":{"action":"keep","action":"remove"}}',
    nothing: "",
    "half of it": '{"role":',
    "a byte order mark": "\uFEFF{}",
    "bytes that are no UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    "UTF-16": Buffer.from("{}", "utf16le"),
    "a form": "role=admin",
    "eight thousand lists": "[".repeat(8_000) + "]".repeat(8_000),
  };
  expect(await unexpectedAnswers(bodies, malformed)).toEqual({});
});

test("every mutation refuses a body over 16 KiB (threat: exhausting memory)", async () => {
  const tooLarge = (status: number) => status === 413;
  const text = JSON.stringify({ role: "x".repeat(16 * 1024) });
  expect(
    await unexpectedAnswers({ "just over": text, much: " ".repeat(300_000) }, tooLarge),
  ).toEqual({});
});

test("every mutation refuses unknown fields (threat: mass assignment of a role)", async () => {
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
  expect(await unexpectedAnswers(bodies, refused)).toEqual({});
});
