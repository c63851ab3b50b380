import { followDue } from "@/lib/webhooks/server/observe/follow";
import { acknowledgeOutside } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { beforeEach, expect, it, vi } from "vitest";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import {
  history,
  inWorld,
  partner,
  read,
  remove,
  save,
  timePasses,
  url,
} from "@/lib/webhooks/testing/in-world";

let editor: string;

inWorld({ as: null });
beforeEach(async () => {
  editor = await partner.person("editor");
  signInAs(editor);
  await outside("before");
  await read();
});

const context = { requestId: "answer", clientAddress: "192.0.2.1" };

const outside = (path: string, more: { authorization?: string } = {}) =>
  partner.register({ url: `${url}/${path}`, type: "pix_out", ...more });
const answer = (changes: string[]) =>
  acknowledgeOutside(partner.id, "sandbox", { changes }, context);
const seen = async () => ((await read()).outside ?? []).map(({ id }) => id);
const real = Date.now.bind(Date);

const answers = () => history("outside_acknowledged");

it("shows several changes as one, from before the first to after the last, until they are acknowledged", async () => {
  expect((await read()).outside).toBeUndefined();
  await outside("first");
  await read();
  await outside("last");
  expect((await read()).outside).toMatchObject([
    {
      type: "pix_out",
      before: { callbackUrl: `${url}/before` },
      after: { callbackUrl: `${url}/last` },
    },
  ]);
  expect((await read()).outside).toHaveLength(1);

  await answer(await seen());
  expect((await read()).outside).toBeUndefined();
  const [entry, ...others] = await answers();
  expect(others).toEqual([]);
  expect(entry).toMatchObject({ actor_id: editor, types: "pix_out" });
  expect(entry?.detail_json).toContain(`${url}/last`);
});

it("records one acknowledgement where two people make it", async () => {
  await outside("first");
  const shown = await seen();
  await answer(shown);
  await answer(shown);
  expect(await answers()).toHaveLength(1);
});

it("does not acknowledge a change that came after the one shown (threat: the second of two changes slips through)", async () => {
  await outside("first");
  const shown = await seen();
  await outside("second");
  await read();
  expect(await codeOf(answer(shown))).toBe("changed_meanwhile");
  expect((await read()).outside).toHaveLength(1);
  expect(await answers()).toEqual([]);
});

it("does not acknowledge it where another instance, whose clock is behind, found it (threat: the times of two instances are compared)", async () => {
  const ahead = vi.spyOn(Date, "now").mockImplementation(() => real() + 3_000);
  await outside("first");
  const shown = await seen();
  ahead.mockRestore();
  await outside("second");
  await read();
  expect(await codeOf(answer(shown))).toBe("changed_meanwhile");
  expect(await answers()).toEqual([]);
  await answer(await seen());
  expect(await answers()).toHaveLength(1);
});

it("acknowledges what is left of the shown changes, and not a change that the request does not name", async () => {
  await outside("first");
  await partner.register({ url: `${url}/in`, type: "pix_in" });
  const both = await seen();
  expect(both).toHaveLength(2);
  for (const part of [[], both.slice(0, 1), both.slice(1), ["0".repeat(32)]])
    expect(await codeOf(answer(part))).toBe("changed_meanwhile");
  await save({ url: `${url}/in-2` });
  await answer(both);
  expect(await answers()).toMatchObject([{ types: "pix_out" }]);
});

it("is over once a look that counts shows what somebody saved since", async () => {
  await outside("first");
  await save({ type: "pix_out", url: `${url}/new`, authorization: remove });
  expect((await read()).outside).toBeUndefined();
});

it("is over a minute after somebody restored what was there: until then, a lagging replica may show it", async () => {
  await outside("first");
  await save({ type: "pix_out", url: `${url}/before`, authorization: remove });
  expect((await read()).outside).toHaveLength(1);
  await timePasses(60_000);
  await followDue();
  expect((await read()).outside).toBeUndefined();
});

it("shows a fingerprint as the history does, and no value", async () => {
  await outside("first", { authorization: "Bearer not-to-be-seen-anywhere" });
  const [change] = (await read()).outside ?? [];
  expect(change?.before?.fingerprint).toBeNull();
  expect(change?.after?.fingerprint).toMatch(/^[0-9a-f]{8}$/);
});
