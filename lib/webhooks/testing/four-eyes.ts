import { removeMember, switchFourEyes } from "@/lib/team/testing/with-access";
import type { Decision } from "@/lib/webhooks/model/proposals/decision";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { beforeEach } from "vitest";
import { as, inWorld, keep, partner, read, save, url } from "./in-world";
import { decideProposal } from "./with-access";

/** Set before each test of a file that calls `inFourEyesWorld` once; `author` is an editor. */
export let admin: string;
export let author: string;

export const moved = `${url}/moved`;
export const origin = { requestId: "test", clientAddress: "192.0.2.1" };

/** A world where another address waits for a second person, and both types are registered. Nobody is signed in. */
export function inFourEyesWorld(environment: string): void {
  inWorld({ environment, as: null });
  beforeEach(async () => {
    admin = await partner.person("admin");
    author = await partner.person("editor");
    await partner.registerKnown({ url, authorization: "Bearer one" });
    // Switching on takes two admins; here the second one has lost the role.
    const second = await partner.person("admin");
    await as(admin, () => switchFourEyes(partner.id, true, origin));
    await as(admin, () => removeMember(partner.id, second, origin));
  });
}

/** Saves another address, with the value as it is. */
export async function saveAs(person: string, change: Partial<SaveRequest> = {}) {
  const { revision } = await as(person, read);
  return as(person, () => save({ url: moved, authorization: keep, revision, ...change }));
}

/** The id of the proposal that a save becomes. */
export async function propose(person: string, change: Partial<SaveRequest> = {}): Promise<string> {
  const end = await saveAs(person, change);
  if (!("proposal" in end)) throw new Error(`expected a proposal, not ${end.outcome}`);
  return end.proposal;
}

export function decide(
  person: string,
  proposal: string,
  decision: Decision["decision"],
  reason?: string,
  of = partner.id,
) {
  const params = { partner: of, environment: partner.environment, proposal };
  const body = { decision, ...(reason === undefined ? {} : { reason }) };
  return as(person, () => decideProposal(params, body, origin));
}
