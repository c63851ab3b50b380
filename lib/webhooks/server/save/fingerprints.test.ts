import { exportHistory, inEnglish, readHistory } from "@/lib/history/testing/with-access";
import { diagnose } from "@/lib/support/testing/with-access";
import { switchFourEyes } from "@/lib/team/testing/with-access";
import { beforeEach, describe, expect, it } from "vitest";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import {
  decideProposal,
  readWithChanges,
  saveConfiguration,
} from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import {
  inWorld,
  keep,
  partner,
  replace as typed,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";
import { connect, type TestPartner } from "@/lib/webhooks/testing/world";

/** The partner's production: another client of the service. */
let production: TestPartner;

inWorld({ as: "editor", also: "production" });
beforeEach(async () => {
  production = await world.partner();
  await connect(partner.id, "production", production);
});

const secret = "Bearer the-one-of-production";
const origin = { requestId: "test", clientAddress: "192.0.2.1" };

const read = (environment: string) =>
  readWithChanges(partner.id, environment, { requestId: "test" });

async function save(environment: string, request: Partial<SaveRequest>) {
  const { revision } = await read(environment);
  const body: SaveRequest = { type: "both", url, revision, authorization: keep, ...request };
  return saveConfiguration(partner.id, environment, body, origin);
}

/** Everything that represents a value in the answers to a browser for one environment. */
async function shown(environment: string) {
  const { webhooks, revision } = await read(environment);
  return { fingerprints: webhooks.map((each) => each.authorization.fingerprint), revision };
}

/** The whole history that a person of the partner can read, as text. */
async function historyText(): Promise<string> {
  const { entries } = await readHistory(partner.id, { show: "every" });
  const files = (["csv", "json"] as const).map(async (format) => {
    const { body } = await exportHistory(partner.id, { show: "every", format }, "test", inEnglish);
    return new Response(body).text();
  });
  return [JSON.stringify(entries), ...(await Promise.all(files))].join("\n");
}

describe("an editor who guesses production's value", () => {
  beforeEach(() => production.register({ url, authorization: secret }));

  it("cannot learn in the sandbox whether the guess is right (threat: fingerprints as an oracle)", async () => {
    const there = await shown("production");
    await save("sandbox", { authorization: typed(secret) });
    const here = await shown("sandbox");
    expect(here.fingerprints).not.toContain(there.fingerprints[0]);
    expect(here.fingerprints).not.toContain(there.fingerprints[1]);
    expect(here.revision).not.toBe(there.revision);
    const reported = `${await historyText()}${await diagnose(partner.id, "sandbox", "test")}`;
    for (const fingerprint of there.fingerprints) expect(reported).not.toContain(fingerprint);
  });

  it("learns nothing from a guess that never reaches the service (threat: saves made to be refused)", async () => {
    const { fingerprints } = await shown("production");
    const guess = { authorization: typed(secret) };
    const stale = save("production", { ...guess, revision: "of before" });
    expect(await codeOf(stale)).toBe("stale_revision");
    production.setActive(false);
    await codeOf(save("production", guess));
    production.setActive(true);
    const reported = await historyText();
    for (const fingerprint of fingerprints) expect(after(reported)).not.toContain(fingerprint);
    expect(reported).toContain('"fingerprint":"new"');
    expect(reported).toContain("set new");
  });

  it("learns nothing from a guess that is proposed and withdrawn (threat: proposals as an oracle)", async () => {
    const author = await partner.person("editor");
    // Switching it on takes a second admin, who could agree to switching it off.
    await partner.person("admin");
    signInAs(await partner.person("admin"));
    await switchFourEyes(partner.id, true, origin);
    signInAs(author);
    const { fingerprints } = await shown("production");
    const request = { url: `${url}/moved`, authorization: typed(secret) };
    const made = await save("production", request);
    if (made.outcome !== "waiting") throw new Error(made.outcome);
    const params = { partner: partner.id, environment: "production", proposal: made.proposal };
    await decideProposal(params, { decision: "withdraw" }, origin);
    const reported = await historyText();
    for (const fingerprint of fingerprints) expect(after(reported)).not.toContain(fingerprint);
    expect(reported).toContain('"fingerprint":"new"');
  });
});

/** The desired versions in the entries, without those before. */
const after = (reported: string) =>
  reported.replace(/"+before"+:\{[^}]*\}/g, "").replace(/,set [0-9a-f]{8},(?=set new)/g, ",");

it("short fingerprints are the same for the same value, on both types, on the screen and in the history", async () => {
  await save("sandbox", { authorization: typed("Bearer one") });
  const one = await shown("sandbox");
  const [first = ""] = one.fingerprints;
  expect(first).toMatch(/^[0-9a-f]{8}$/);
  expect(one.fingerprints).toEqual([first, first]);
  await save("sandbox", { url: `${url}/moved` });
  expect((await shown("sandbox")).fingerprints).toEqual([first, first]);
  await save("sandbox", { authorization: typed("Bearer two") });
  const [second] = (await shown("sandbox")).fingerprints;
  expect(second).not.toBe(first);
  const [newest] = (await read("sandbox")).recentChanges;
  const change = { before: { fingerprint: first }, after: { fingerprint: second } };
  expect(newest?.changes).toMatchObject([change, change]);
});
