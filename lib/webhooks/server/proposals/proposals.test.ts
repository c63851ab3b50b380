import { whileClockIsAhead } from "@/lib/platform/runtime/testing/clock";
import { givePasskey, signInSteppedUp } from "@/lib/account/testing/account-world";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import { changeRole, removeMember, switchFourEyes } from "@/lib/team/testing/with-access";
import type { SaveRequest } from "@/lib/webhooks/model/rules/save-request";
import { lockConnection } from "@/lib/webhooks/server/save/connection-lock";
import { connectionRefOnTrust } from "@/lib/webhooks/server/read/read";
import { recordIntent } from "@/lib/webhooks/server/save/save-record";
import {
  decideProposal,
  dismissEnded,
  readEnded,
  readOperation,
  saveConfiguration,
} from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { rowOf, update } from "@/lib/platform/database/testing/rows";
import { beforeEach, describe, expect, it } from "vitest";
import {
  claim,
  decisionOn,
  endOverdue,
  proposalOf,
  proposals,
} from "@/lib/changes/server/proposals";
import { openApproval } from "./webhook-proposals";
import { decisionSchema, type Decision } from "@/lib/webhooks/model/proposals/decision";
import {
  as,
  history,
  inWorld,
  nextPartner,
  partner,
  read,
  world,
} from "@/lib/webhooks/testing/in-world";

/** In production, whatever the operator calls it (threat: a rule that knows one name). */
const environment = "pix-eu";

let admin: string;
let author: string;

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

const url = "https://hooks.example.com/pix";
const moved = `${url}/moved`;
const origin = { requestId: "test", clientAddress: "192.0.2.1" };

async function save(person: string, change: Partial<SaveRequest> = {}) {
  const { revision } = await as(person, read);
  return as(person, () =>
    saveConfiguration(
      partner.id,
      environment,
      { type: "pix_in", url: moved, revision, authorization: { action: "keep" }, ...change },
      origin,
    ),
  );
}

async function propose(person: string, change: Partial<SaveRequest> = {}): Promise<string> {
  const result = await save(person, change);
  if (result.outcome !== "waiting") throw new Error(`expected a proposal, not ${result.outcome}`);
  return result.proposal;
}

function decide(
  person: string,
  proposal: string,
  decision: Decision["decision"],
  of = partner.id,
  reason?: string,
) {
  const params = { partner: of, environment, proposal };
  const body = { decision, ...(reason === undefined ? {} : { reason }) };
  return as(person, () => decideProposal(params, body, origin));
}

const reject = (person: string, proposal: string, reason: string) =>
  decide(person, proposal, "reject", partner.id, reason);

/** What an author reads about the outcome of their proposals. */
async function endedOf(person: string) {
  const params = { partner: partner.id, environment };
  return (await as(person, () => readEnded(params))).ended;
}

/** The people that the page names as possible approvers. */
async function approversSeen(id: string): Promise<string[] | null> {
  const { proposals } = await as(author, read);
  const seen = proposals?.find((proposal) => proposal.id === id)?.approvers;
  return seen ? seen.map((person) => person.id).sort() : null;
}

async function addresses(): Promise<Record<string, string>> {
  const items = await partner.registered();
  return Object.fromEntries(items.map(({ type, callback_url }) => [type, callback_url]));
}

const untouched = { pix_in: url, pix_out: url };

async function versionOf(id: string) {
  const { state, secret_ciphertext } = await rowOf("changes", { id });
  return { state: decisionOn({ state }) ?? "waiting", secret_ciphertext };
}

async function letTimePass(id: string): Promise<void> {
  await update("changes", { expires_at: Date.now() - 1 }, { id });
}

describe("a change of a production address", () => {
  it("waits, is shown to everybody, and is applied by a second person's approval, who gets its outcome", async () => {
    const value = "Bearer canary-of-a-proposal";
    const id = await propose(author, {
      authorization: { action: "replace", value },
      reason: "new host",
    });
    expect(await addresses()).toEqual(untouched);

    const seen = await as(await partner.person("viewer"), read);
    expect(seen.proposals).toMatchObject([
      { id, type: "pix_in", url: moved, authorization: "replace", reason: "new host" },
    ]);
    const stored = JSON.stringify([seen, await db().selectFrom("changes").selectAll().execute()]);
    expect(stored).not.toContain(value);

    expect(await decide(admin, id, "approve")).toMatchObject({ outcome: "saved" });
    expect(await partner.registered()).toMatchObject([
      { type: "pix_in", callback_url: moved, auth_header: value },
      { type: "pix_out", callback_url: url },
    ]);
    expect(await versionOf(id)).toEqual({ state: "approved", secret_ciphertext: null });
    const [end] = await history("save");
    expect(end).toMatchObject({ actor_id: admin, outcome: "saved" });
    expect(end?.detail).toMatchObject({
      proposal: { id, author: { id: author, name: "The editor" } },
    });
    const after = await as(author, read);
    expect(after.proposals).toEqual([]);
    expect(after.webhooks[0]?.lastChange).toMatchObject({
      by: "The editor",
      approvedBy: "The admin",
    });
    const [newest] = after.recentChanges;
    expect([newest?.actor, newest?.proposal?.author]).toMatchObject([
      { name: "The admin" },
      { name: "The editor" },
    ]);
  });

  it("waits also when it is the first one, and when an admin makes it", async () => {
    await nextPartner();
    const [first, second] = [await partner.person("admin"), await partner.person("admin")];
    await as(first, () => switchFourEyes(partner.id, true, origin));
    const id = await propose(first, { type: "both" });
    expect(await addresses()).toEqual({});
    expect(await decide(second, id, "approve")).toMatchObject({ outcome: "saved" });
    expect(await addresses()).toEqual({ pix_in: moved, pix_out: moved });
  });

  it("waits whole when only one of both types moves (threat: hiding it behind the other)", async () => {
    await partner.register({ url: moved, type: "pix_in" });
    await propose(author, { type: "both", authorization: { action: "remove" } });
    expect(await addresses()).toEqual({ pix_in: moved, pix_out: url });
  });

  it("does not wait where only the Authorization changes", async () => {
    const authorization = { action: "replace", value: "Bearer two" } as const;
    expect(await save(author, { url, authorization })).toMatchObject({ outcome: "saved" });
  });

  it("does not lend an editor an admin's right to send a value elsewhere (threat: laundering a move)", async () => {
    const elsewhere = { url: "https://attacker.example.net/" };
    expect(await codeOf(save(author, elsewhere))).toBe("invalid_fields");
    const former = await partner.person("admin");
    const id = await propose(former, elsewhere);
    await as(admin, () => changeRole(partner.id, former, "editor", origin));
    expect(await codeOf(decide(admin, id, "approve"))).toBe("author_may_not");
    expect(await addresses()).toEqual(untouched);
  });
});

describe("approving", () => {
  it("is not for the author, in any session (threat: being both persons)", async () => {
    const id = await propose(admin);
    expect(await codeOf(decide(admin, id, "approve"))).toBe("own_proposal");
    signInAs(admin, "another-session");
    const params = { partner: partner.id, environment, proposal: id };
    expect(await codeOf(decideProposal(params, { decision: "approve" }, origin))).toBe(
      "own_proposal",
    );
    expect(await addresses()).toEqual(untouched);
  });

  it("takes a passkey from a person who has one: their password is not enough (threat: a stolen password)", async () => {
    const id = await propose(author);
    const confirm = await givePasskey(admin);
    await signInSteppedUp(admin);
    const params = { partner: partner.id, environment, proposal: id };
    const approve = () => decideProposal(params, { decision: "approve" }, origin);
    expect(await codeOf(approve())).toBe("reauthentication_required");
    expect(await addresses()).toEqual(untouched);
    await confirm();
    expect(await approve()).toMatchObject({ outcome: "saved" });
  });

  it("is not for people whom the author let in or promoted, nor for one whom they let in (threat: a second account)", async () => {
    const lineage = async (by: string) => {
      const puppet = await partner.person("viewer");
      await as(by, () => changeRole(partner.id, puppet, "admin", origin));
      return puppet;
    };
    const first = await lineage(admin);
    const second = await lineage(first);
    const id = await propose(admin);
    for (const puppet of [first, second])
      expect(await codeOf(decide(puppet, id, "approve"))).toBe("no_second_person");
    expect(await approversSeen(id)).toEqual([author]);
    expect(await addresses()).toEqual(untouched);
    expect(await decide(author, id, "approve")).toMatchObject({ outcome: "saved" });
  });

  it("is not for people whom the author promoted before somebody else promoted the author (threat: a second account, forgotten by a new voucher)", async () => {
    const [bad, puppet] = [await partner.person("admin"), await partner.person("viewer")];
    await as(bad, () => changeRole(partner.id, puppet, "editor", origin));
    await as(bad, () => changeRole(partner.id, bad, "viewer", origin));
    await as(admin, () => changeRole(partner.id, bad, "admin", origin));
    const id = await propose(bad);
    expect(await codeOf(decide(puppet, id, "approve"))).toBe("no_second_person");
    expect(await addresses()).toEqual(untouched);
  });

  it("is not for another partner's admin, under either partner (threat: a foreign approver)", async () => {
    const id = await propose(author);
    const other = await world.partner();
    const stranger = await other.person("admin");
    expect(await codeOf(decide(stranger, id, "approve"))).toBe("not_found");
    expect(await codeOf(decide(stranger, id, "approve", other.id))).toBe("not_found");
    expect(await addresses()).toEqual(untouched);
  });

  it("is not for a viewer, nor for people demoted or removed since (threat: a role that is over)", async () => {
    const id = await propose(author);
    const [lowered, gone] = [await partner.person("editor"), await partner.person("editor")];
    await as(admin, () => changeRole(partner.id, lowered, "viewer", origin));
    await as(admin, () => removeMember(partner.id, gone, origin));
    expect(await codeOf(decide(lowered, id, "approve"))).toBe("forbidden");
    expect(await codeOf(decide(gone, id, "approve"))).toBe("not_found");
    expect(await approversSeen(id)).toEqual([admin]);
    expect(await addresses()).toEqual(untouched);
  });

  /** An approval whose last step comes after this. */
  async function claimAfter(id: string, approver: string, change: () => Promise<unknown>) {
    const approval = await openApproval({ partnerId: partner.id, environment }, id, approver);
    await change();
    const actor = { id: approver, name: "Approver", clientAddress: null };
    const claiming = db()
      .transaction()
      .execute((trx) => claim(trx, approval, { actor, requestId: "test" }));
    const code = await codeOf(claiming);
    expect((await versionOf(id)).state).toBe("waiting");
    return code;
  }

  it("is refused at the last step to a person who was demoted while it ran (threat: a role that ends meanwhile)", async () => {
    const lowered = await partner.person("editor");
    const lower = () => as(admin, () => changeRole(partner.id, lowered, "viewer", origin));
    expect(await claimAfter(await propose(author), lowered, lower)).toBe("forbidden");
  });

  it("is refused at the last step where the author was lowered while it ran (threat: a value sent elsewhere on a right that is over)", async () => {
    const former = await partner.person("admin");
    const id = await propose(former, { url: "https://elsewhere.example.net/" });
    const lower = () => as(admin, () => changeRole(partner.id, former, "editor", origin));
    expect(await claimAfter(id, admin, lower)).toBe("author_may_not");
  });

  it("is refused where the author may not edit any more (threat: a change that outlives its author)", async () => {
    const id = await propose(author);
    await as(admin, () => changeRole(partner.id, author, "viewer", origin));
    expect(await codeOf(decide(admin, id, "approve"))).toBe("author_may_not");
    expect(await approversSeen(id)).toBeNull();
    expect(await addresses()).toEqual(untouched);
  });

  it("is refused once it has expired, and the next read ends it and its value (threat: an old approval)", async () => {
    const id = await propose(author, { authorization: { action: "replace", value: "Bearer x" } });
    await letTimePass(id);
    expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_over");
    expect((await as(admin, read)).proposals).toEqual([]);
    expect(await versionOf(id)).toEqual({ state: "expired", secret_ciphertext: null });
    expect(await history("proposal_ended")).toMatchObject([{ actor_id: null, outcome: "expired" }]);
    expect(await addresses()).toEqual(untouched);
  });

  it("keeps its value no longer than its time, also where nobody reads it again (threat: a copy of the table)", async () => {
    const id = await propose(author, {
      authorization: { action: "replace", value: "Bearer two" },
    });
    await endOverdue();
    expect(await versionOf(id)).toMatchObject({ state: "waiting" });
    await letTimePass(id);
    await endOverdue();
    expect(await versionOf(id)).toEqual({ state: "expired", secret_ciphertext: null });
    expect(await history("proposal_ended")).toMatchObject([{ actor_id: null, outcome: "expired" }]);
  });

  it("waits on while the clock of this instance is 25 hours ahead for a moment", async () => {
    const id = await propose(author);
    await whileClockIsAhead(async () => {
      expect((await as(admin, read)).proposals).toMatchObject([{ id }]);
    });
    expect(await decide(admin, id, "approve")).toMatchObject({ outcome: "saved" });
  });

  it("is refused where the service holds something else by now, and is shown so (threat: approving over what nobody saw)", async () => {
    const id = await propose(author);
    await partner.register({ url: `${url}/other`, type: "pix_in" });
    expect((await as(admin, read)).proposals).toMatchObject([{ id, outdated: true }]);
    expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_stale");
    expect(await addresses()).toEqual({ pix_in: `${url}/other`, pix_out: url });
  });

  it("for one type leaves the other one's waiting proposal approvable", async () => {
    const [one, other] = [
      await propose(author),
      await propose(author, { type: "pix_out", url: `${url}/out` }),
    ];
    expect(await decide(admin, one, "approve")).toMatchObject({ outcome: "saved" });
    expect(await decide(admin, other, "approve")).toMatchObject({ outcome: "saved" });
    expect(await addresses()).toEqual({ pix_in: moved, pix_out: `${url}/out` });
  });

  it("leaves it waiting while the service cannot be read", async () => {
    const id = await propose(author);
    partner.setActive(false);
    expect(await codeOf(decide(admin, id, "approve"))).toBe("credentials_rejected");
    expect((await versionOf(id)).state).toBe("waiting");
    expect((await history("save")).at(-1)).toMatchObject({ outcome: "not_saved" });
  });

  it("is first, or withdrawing, or another proposal is, and only one of them (threat: racing them)", async () => {
    const id = await propose(author);
    const third = await partner.person("editor");
    const { revision } = await as(author, read);
    const request: SaveRequest = {
      type: "both",
      url: `${url}/other`,
      revision,
      authorization: { action: "keep" },
      replaces: [id],
    };
    await Promise.allSettled([
      decide(admin, id, "approve"),
      decide(third, id, "approve"),
      decide(author, id, "withdraw"),
      as(author, () => saveConfiguration(partner.id, environment, request, origin)),
    ]);
    const ends = (await history("proposal_ended")).filter(({ detail_json }) =>
      detail_json.includes(id),
    );
    expect(ends).toHaveLength(1);
    const { state } = await versionOf(id);
    expect(ends[0]?.outcome).toBe(state);
    expect(await addresses()).toEqual(
      state === "approved" ? { pix_in: moved, pix_out: url } : untouched,
    );
    const saves = (await history("save")).filter(({ outcome }) => outcome === "saved");
    expect(saves).toHaveLength(state === "approved" ? 1 : 0);
  });

  it("that dies before anything was sent is closed as not saved, and names both (threat: a kill in between)", async () => {
    const id = await propose(author);
    const connectionRef = await connectionRefOnTrust(partner.id, environment);
    const approval = await openApproval(connectionRef, id, admin);
    const actor = { id: admin, name: "The admin", clientAddress: null };
    const lease = await lockConnection(partner.connectionId, 0);
    if (!lease) throw new Error("somebody else is saving");
    await recordIntent(
      {
        ...connectionRef,
        id,
        asked: { type: "pix_in", url: moved, authorization: "remove" },
        requestId: "killed",
        actor,
        before: approval.basis,
        desired: [{ type: "pix_in", state: { callbackUrl: moved, fingerprint: null } }],
        proposal: proposalOf(approval.row),
      },
      lease,
      (trx) => claim(trx, approval, { actor, requestId: "killed" }),
    );
    await lease.release();
    expect((await as(author, read)).recentChanges[0]).toMatchObject({
      outcome: "not_saved",
      actor: { name: "The admin" },
      proposal: { author: { name: "The editor" } },
    });
    expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_over");
    expect(await addresses()).toEqual(untouched);
  });
});

describe("another proposal", () => {
  it.each(["pix_in", "pix_out", "both"] as const)(
    "cannot wait beside one of both types, nor take its press, whatever the code does: %s",
    async (applies_to) => {
      const id = await propose(author, { type: "both" });
      const row = await rowOf("changes", { id });
      const insert = (other: Partial<typeof row>) =>
        db()
          .insertInto("changes")
          .values({ ...row, ...other })
          .execute();
      await expect(insert({ id: randomUUID(), applies_to })).rejects.toThrow(/unique/i);
      await expect(insert({ state: "void" })).rejects.toThrow(/unique/i);
      await insert({ id: randomUUID(), applies_to, state: "rejected" });
    },
  );

  it("replaces the waiting ones of its types, once the person has seen them", async () => {
    const first = await propose(author, { type: "both" });
    expect(await codeOf(save(admin))).toBe("proposal_pending");
    const second = await propose(admin, { replaces: [first] });
    expect((await versionOf(first)).state).toBe("replaced");
    expect((await as(author, read)).proposals).toMatchObject([{ id: second }]);
  });

  it("replaces none of them where the person has not seen all", async () => {
    const seen = await propose(author);
    const unseen = await propose(admin, { type: "pix_out" });
    const both = save(author, { type: "both", replaces: [seen] });
    expect(await codeOf(both)).toBe("proposal_pending");
    expect((await versionOf(seen)).state).toBe("waiting");
    expect((await versionOf(unseen)).state).toBe("waiting");
  });
});

describe("stopping a proposal", () => {
  it("is for its author and admins to withdraw, and for others who edit to reject", async () => {
    const other = await partner.person("editor");
    const [mine, theirs] = [await propose(author), await propose(admin, { type: "pix_out" })];
    expect(await codeOf(decide(other, mine, "withdraw"))).toBe("forbidden");
    expect(await codeOf(decide(author, mine, "reject"))).toBe("own_proposal");
    expect(await codeOf(decide(await partner.person("viewer"), mine, "reject"))).toBe("forbidden");
    await decide(admin, mine, "withdraw");
    await decide(other, theirs, "reject");
    expect(await codeOf(decide(admin, mine, "approve"))).toBe("proposal_over");
    expect(await history("proposal_ended")).toMatchObject([
      { actor_id: admin, outcome: "withdrawn" },
      { actor_id: other, outcome: "rejected" },
    ]);
  });
});

describe("the author of a proposal that ended", () => {
  it("shows who rejected it and why until dismissed, and so does the history", async () => {
    const id = await propose(author);
    await reject(admin, id, "That host is not ours");
    expect(await endedOf(author)).toMatchObject([
      {
        id,
        about: { kind: "webhooks", type: "pix_in", url: moved },
        state: "rejected",
        by: "The admin",
        reason: "That host is not ours",
      },
    ]);
    const [end] = await history("proposal_ended");
    expect(end?.detail).toMatchObject({ reason: "That host is not ours" });
    const params = { partner: partner.id, environment, proposal: id };
    await as(author, () => dismissEnded(params));
    expect(await endedOf(author)).toEqual([]);
  });

  it("shows that it expired, that another one replaced it, and that an admin withdrew it", async () => {
    const expired = await propose(author);
    await letTimePass(expired);
    await as(admin, read);
    const replaced = await propose(author);
    const withdrawn = await propose(admin, { replaces: [replaced] });
    const third = await partner.person("admin");
    await decide(third, withdrawn, "withdraw");
    expect((await endedOf(author)).map(({ id, state, by }) => ({ id, state, by }))).toEqual([
      // With the address: another admin has the same name.
      { id: replaced, state: "replaced", by: `The admin (${admin}@test.example)` },
      { id: expired, state: "expired", by: null },
    ]);
    expect(await endedOf(admin)).toMatchObject([{ id: withdrawn, state: "withdrawn" }]);
  });

  it("shows how the save of an approved one ended", async () => {
    const id = await propose(author);
    await decide(admin, id, "approve");
    expect(await endedOf(author)).toMatchObject([{ id, state: "approved", save: "saved" }]);
  });

  it("shows nothing that they withdrew or replaced themselves", async () => {
    const first = await propose(author);
    const second = await propose(author, { replaces: [first] });
    await decide(author, second, "withdraw");
    expect(await endedOf(author)).toEqual([]);
  });

  it("is shown also when they may not edit any more, and nobody else sees or dismisses it (threat: hiding a rejection)", async () => {
    const id = await propose(author);
    await reject(admin, id, "no");
    await as(admin, () => changeRole(partner.id, author, "viewer", origin));
    expect(await endedOf(admin)).toEqual([]);
    const params = { partner: partner.id, environment, proposal: id };
    expect(await codeOf(as(admin, () => dismissEnded(params)))).toBe("not_found");
    expect(await endedOf(author)).toMatchObject([{ id, state: "rejected" }]);
  });

  it("cannot dismiss a waiting one (threat: a proposal that nobody sees end)", async () => {
    const id = await propose(author);
    const params = { partner: partner.id, environment, proposal: id };
    expect(await codeOf(as(author, () => dismissEnded(params)))).toBe("not_found");
  });
});

describe("the body of a decision", () => {
  const issuesOf = (body: unknown) =>
    decisionSchema.safeParse(body).error?.issues.map(({ path, message }) => [path.join(), message]);

  it("has a reason where it rejects, in one visible line of at most 200 characters", () => {
    expect(issuesOf({ decision: "reject" })).toEqual([["reason", "required"]]);
    expect(issuesOf({ decision: "reject", reason: "  " })).toEqual([["reason", "required"]]);
    expect(issuesOf({ decision: "reject", reason: "x".repeat(201) })).toEqual([
      ["reason", "too_long"],
    ]);
    expect(issuesOf({ decision: "reject", reason: "a\nb" })).toEqual([
      ["reason", "invisible_character"],
    ]);
    expect(issuesOf({ decision: "reject", reason: "not ours" })).toBeUndefined();
    expect(issuesOf({ decision: "withdraw" })).toBeUndefined();
  });

  it("has none where it approves, and no other fields", () => {
    expect(issuesOf({ decision: "approve" })).toBeUndefined();
    expect(issuesOf({ decision: "approve", reason: "x" })).toEqual([["reason", "unknown_field"]]);
    expect(issuesOf({})).toEqual([["decision", "required"]]);
    expect(issuesOf({ decision: "approve", extra: 1 })).toEqual([["", "unknown_field"]]);
  });
});

it("waits in the environment that staff read first, too", () => {
  expect([...env().productionEnvironments]).toEqual([environment]);
  expect(mainEnvironment()).toBe(environment);
});

it("of credentials lends its id to no press of save, nor to a question about one (threat: an id from the history)", async () => {
  const operation = await propose(author);
  await update("changes", { kind: "credentials", applies_to: null }, { id: operation });
  const pressed = save(author, { operation, url });
  expect(await pressed.catch((thrown: unknown) => thrown)).toMatchObject({
    init: { errors: [{ path: "operation", code: "operation_reused" }] },
  });
  const asked = as(author, () => readOperation(partner.id, environment, operation, origin));
  expect(await asked).toMatchObject({ outcome: "not_known" });
});

it.skipIf(process.env["TEST_ENGINE"] === "postgres")(
  "that waits is found among all changes of its environment by an index",
  async () => {
    const waiting = proposals(db(), { partnerId: partner.id, environment })
      .where("state", "=", sql.lit("waiting"))
      .where("kind", "=", "webhooks");
    const plan = JSON.stringify(await waiting.explain(undefined, sql`query plan`));
    expect(plan).toContain("USING INDEX changes_waiting");
  },
);
