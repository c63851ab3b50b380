import type { FaultyUpstream } from "@/e2e/faulty-upstream/server";
import { historyOf } from "@/lib/history/testing/people-entries";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { db } from "@/lib/platform/database/open";
import { readSteadyClock } from "@/lib/platform/database/steady-clock";
import { isFollowed } from "@/lib/platform/database/tables";
import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { signInAs } from "./signed-in";
import { readWithChanges } from "./with-access";
import { startFaultyWorld, type TestPartner, type World } from "./world";

/*
 * The world of a test file that calls `inWorld` once: these are set before its first test, and `partner` before each.
 */
export let world: World;
export let upstream: FaultyUpstream;
export let partner: TestPartner;

type Options = {
  environment?: string;
  /** Who is signed in as a test begins; nobody where it is null. */
  as?: PartnerRole | null;
};

/** Starts a world for the tests of this file, with a new partner for each of them, at a service that works. */
export function inWorld({ environment, as: role = "admin" }: Options = {}): void {
  beforeAll(async () => {
    ({ world, upstream } = await startFaultyWorld(environment));
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    upstream.setPlan({ rules: [] });
    await nextPartner();
    signInAs(role && (await partner.person(role)));
  });
}

/** In the middle of a test, too. */
export async function nextPartner(): Promise<void> {
  partner = await world.partner();
}

/** The session is read as the call begins, so others may begin while it runs. */
export function as<Result>(person: string, call: () => Promise<Result>): Promise<Result> {
  signInAs(person);
  return call();
}

export function read(requestId = "test-read") {
  return readWithChanges(partner.id, partner.environment, { requestId });
}

/** An effect that the service did not acknowledge is confirmed by a later reading. */
export async function readUntilEnded() {
  await read();
  await expect.poll(async () => (await read()).openSaves).toEqual([]);
  return read();
}

/** The addresses that the service has. */
export async function held(): Promise<string[]> {
  return (await partner.registered()).map(({ callback_url }) => callback_url);
}

export const history: OfPartner = (kind) => historyOf(partner.id, kind);
type OfPartner = (kind?: Parameters<typeof historyOf>[1]) => ReturnType<typeof historyOf>;

/** Open saves were sent so long ago, on the steady clock, and are due to be followed. */
export async function sentAgo(ms: number): Promise<void> {
  const now = await readSteadyClock();
  await db()
    .updateTable("changes")
    .set({ sent_at: now - ms, next_look_at: now })
    .where("partner_id", "=", partner.id)
    .where(isFollowed)
    .execute();
}
