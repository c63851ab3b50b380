import { readSource as readSourceWith } from "@/lib/webhooks/server/answer/source";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { dropTheTriggers } from "@/lib/history/testing/history-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { connect, type TestPartner } from "@/lib/webhooks/testing/world";
import { update } from "@/lib/platform/database/testing/rows";
import {
  history,
  inWorld,
  keep,
  nextPartner,
  partner,
  read,
  save as saveOne,
  world,
} from "@/lib/webhooks/testing/in-world";
import type { HistoryKind } from "@/lib/history/model/entry";
import { expect, it } from "vitest";

const readSource = inPartner("webhooks.write", readSourceWith);

inWorld({ as: "editor", also: "production" });

const url = (path: string) => `https://hooks.example.com/${path}`;
const canary = "Bearer canary-51cd-not-a-secret";
const source = (from: string | null, environment = "sandbox") =>
  readSource(partner.id, environment, from, { requestId: "source" });

const save = (path: string) => saveOne({ url: url(path), authorization: keep });

const lastOf = async (kind: HistoryKind) => (await history(kind)).at(-1);
const lastEntry = async (kind: HistoryKind) => (await lastOf(kind))?.seq ?? 0;

/** Another client of the service, as this partner's production. */
async function connectProduction(): Promise<TestPartner> {
  const other = await world.partner();
  await connect(partner.id, "production", other);
  return other;
}

it("is the version before an entry", async () => {
  await partner.registerKnown({ url: url("first"), authorization: canary });
  await save("second");
  const found = await source(`entry.${await lastEntry("save_shown")}`);
  const fingerprint = (await read()).webhooks[0]?.authorization.fingerprint;
  expect(found.versions).toEqual([
    { type: "pix_in", callbackUrl: url("first"), authorization: { fingerprint } },
  ]);
  expect(fingerprint).toMatch(/^[0-9a-f]{8}$/);
  expect(JSON.stringify(found)).not.toContain("canary");
});

it("is the version that somebody overwrote outside Gancho", async () => {
  await partner.register({ url: url("ours"), type: "pix_out" });
  await read();
  await partner.register({ url: url("theirs"), type: "pix_out" });
  await read();
  const { versions } = await source(`entry.${await lastEntry("changed_outside")}`);
  expect(versions.map(({ callbackUrl }) => callbackUrl)).toEqual([url("ours")]);
});

it("refuses an altered entry (threat: somebody who can write to the database gets their address restored)", async () => {
  await partner.registerKnown({ url: url("first") });
  await save("second");
  const { seq = 0, detail_json = "" } = (await lastOf("save_shown")) ?? {};
  await dropTheTriggers();
  const altered = detail_json.replace("hooks.example.com/first", "evil.example.com/pix");
  await update("history", { detail_json: altered }, { partner_id: partner.id, seq });
  expect(await codeOf(source(`entry.${seq}`))).toBe("entry_altered");
});

it.each([null, "", "previous", "entry.", "environment.sandbox", "environment.../production"])(
  "refuses to start from %j",
  async (from) => {
    expect(await codeOf(source(from))).toBe("invalid_fields");
  },
);

it("finds no entry of another partner, of another environment, or without an earlier address", async () => {
  await save("first");
  const seq = await lastEntry("save_shown");
  expect(await codeOf(source(`entry.${seq}`))).toBe("not_found");
  await save("second");
  const second = await lastEntry("save_shown");
  expect(await codeOf(source(`entry.${second}`, "production"))).toBe("not_found");
  expect(await codeOf(source(`entry.${second + 100}`))).toBe("not_found");
  expect((await source(`entry.${second}`)).versions).toHaveLength(1);
  await nextPartner();
  signInAs(await partner.person("editor"));
  expect(await codeOf(source(`entry.${second}`))).toBe("not_found");
});

it("is another environment's address, without its value (threat: learning production's value in the sandbox)", async () => {
  const production = await connectProduction();
  await production.register({ url: url("production"), authorization: canary });
  const found = await source("environment.production");
  expect(found).toMatchObject({
    stale: false,
    versions: ["pix_in", "pix_out"].map((type) => ({
      type,
      callbackUrl: url("production"),
      authorization: null,
    })),
  });
  expect(JSON.stringify(found)).not.toMatch(/canary|fingerprint/);
});

it("says why another environment's address is not known", async () => {
  expect(await codeOf(source("environment.production"))).toBe("not_connected");
  expect(await codeOf(source("environment.staging"))).toBe("not_found");
  const production = await connectProduction();
  production.setActive(false);
  expect(await codeOf(source("environment.production"))).toBe("credentials_rejected");
});
