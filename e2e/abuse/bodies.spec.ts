import { expect, test } from "@playwright/test";
import { makeCallers, type Callers } from "@/e2e/access/callers";
import { requestOf, withVariants } from "@/e2e/access/mutations";
import { send } from "./send";

let callers: Callers;
test.beforeAll(async () => {
  callers = await makeCallers();
});

/** Sends the bodies to the mutations as a person with the permission; lists the answers that are wrong. */
async function otherAnswers(bodies: Record<string, string | Buffer>, expected: RegExp) {
  const found: Record<string, string> = {};
  for (const { mutation, variant } of withVariants(Object.entries(bodies))) {
    const [what, body] = variant;
    const { status, code } = await send({ ...requestOf(mutation, callers), body });
    const answer = `${status} ${code}`;
    if (!expected.test(answer)) found[`${mutation.name}: ${what}`] = answer;
  }
  return found;
}

test("every mutation refuses ambiguous and malformed JSON (threats: prototype pollution, exhausting a parser)", async () => {
  const bodies = {
    "__proto__ in escapes": '{"\\u005f_proto__":{"role":"admin"}}',
    "a byte order mark": "\uFEFF{}",
    "bytes that are no UTF-8": Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
    "UTF-16": Buffer.from("{}", "utf16le"),
    "eight thousand lists": "[".repeat(8_000) + "]".repeat(8_000),
  };
  expect(await otherAnswers(bodies, /^400 malformed_request$/)).toEqual({});
});

test("every mutation refuses a body over 16 KiB (threat: exhausting memory)", async () => {
  const text = JSON.stringify({ role: "x".repeat(16 * 1024) });
  const bodies = { "just over": text, much: " ".repeat(300_000) };
  expect(await otherAnswers(bodies, /^413 /)).toEqual({});
});
