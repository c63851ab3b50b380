import { whileClockIsAhead } from "@/lib/platform/runtime/testing/clock";
import { givePasskey } from "@/lib/account/testing/account-world";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { mainEnvironment } from "@/lib/platform/env/main-environment";
import type { PartnerRole } from "@/lib/platform/access/model/roles";
import { changeRole, removeMember, switchFourEyes } from "@/lib/team/testing/with-access";
import { connectionRefOnTrust } from "@/lib/webhooks/server/observe/reading";
import { settleLeftBehind } from "@/lib/webhooks/server/observe/follow";
import { recordAndStall } from "@/lib/webhooks/testing/stalled-save";
import { decideProposal, dismissEnded, readEnded } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { sql } from "kysely";
import { randomUUID } from "node:crypto";
import { insert, inTransaction, rowOf, update } from "@/lib/platform/database/testing/rows";
import { describe, expect, it } from "vitest";
import { claim, decisionOn, endOverdue, proposals } from "@/lib/changes/server/proposals";
import { openApproval } from "./proposals";
import { decisionSchema } from "@/lib/webhooks/model/proposals/decision";
import {
  answering,
  as,
  ask,
  history,
  keep,
  nextPartner,
  partner,
  plan,
  read,
  remove,
  replace,
  save,
  showing,
  url,
  world,
} from "@/lib/webhooks/testing/in-world";
import {
  admin,
  author,
  decide,
  inFourEyesWorld,
  moved,
  origin,
  propose,
  saveAs,
} from "@/lib/webhooks/testing/four-eyes";

/** In production, whatever its name (threat: a rule that knows one name). */
const environment = "pix-eu";
inFourEyesWorld(environment);

const paramsOf = (proposal: string) => ({ partner: partner.id, environment, proposal });

const setRole = (person: string, role: PartnerRole) =>
  as(admin, () => changeRole(partner.id, person, role, origin));

/** What an author reads about the outcome of their proposals. */
const endedOf = async (person: string) =>
  (await as(person, () => readEnded({ partner: partner.id, environment }))).ended;

const dismiss = (person: string, id: string) => as(person, () => dismissEnded(paramsOf(id)));

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

const letTimePass = (id: string) => update("changes", { expires_at: Date.now() - 1 }, { id });

describe("a change of a production address", () => {
  it("waits, is shown to everybody, and is applied by a second person's approval, who gets its outcome", async () => {
    const value = "Bearer canary-of-a-proposal";
    const id = await propose(author, { authorization: replace(value), reason: "new host" });
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
    const [end] = await history("save_shown");
    expect(end).toMatchObject({ actor_id: admin, outcome: "saved" });
    expect(end?.detail).toMatchObject({
      proposal: { id, author: { id: author, name: "The editor" } },
    });
    const after = await as(author, read);
    expect(after.proposals).toEqual([]);
    const names = { askedBy: { name: "The editor" }, approvedBy: "The admin" };
    expect(after.webhooks[0]).toMatchObject(names);
    expect(after.recentChanges[0]).toMatchObject({
      actor: { name: "The admin" },
      proposal: { author: { name: "The editor" } },
    });
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

  it("waits as a whole when only one of both types moves (threat: hiding it behind the other)", async () => {
    await partner.register({ url: moved, type: "pix_in" });
    await propose(author, { type: "both", authorization: remove });
    expect(await addresses()).toEqual({ pix_in: moved, pix_out: url });
  });

  it("waits where the value is taken away, also behind one that is not shown, and where an admin does it", async () => {
    const without = { url, authorization: remove };
    expect(await saveAs(author, without)).toMatchObject({ outcome: "waiting" });
    expect(await saveAs(admin, { ...without, type: "pix_out" })).toMatchObject({
      outcome: "waiting",
    });
    expect(await partner.registered()).toMatchObject([
      { auth_header: "Bearer one" },
      { auth_header: "Bearer one" },
    ]);
  });

  it("waits where the value that may be there was refused, at a list that hides values (threat: one person alone takes it away)", async () => {
    await nextPartner();
    const [first, second] = [await partner.person("admin"), await partner.person("admin")];
    const hidden = showing([{ type: "pix_in", callback_url: url, events: [] }]);
    plan(answering(422, "first"), { ...hidden, from: 2 });
    expect(await as(first, () => save({ revision: null }))).toMatchObject({ outcome: "partly" });
    plan(hidden);
    await as(first, () => switchFourEyes(partner.id, true, origin));
    const without = { url, authorization: remove };
    const id = await propose(second, without);
    expect(await partner.registered()).toMatchObject([{ auth_header: "Bearer typed" }]);
    expect(await decide(first, id, "approve")).toMatchObject({ outcome: "saved" });
    const again = await saveAs(second, without);
    expect(again, "the service may have kept it").toMatchObject({ outcome: "waiting" });
  });

  it("does not wait where only the Authorization changes", async () => {
    const onlyValue = { url, authorization: replace("Bearer two") };
    expect(await saveAs(author, onlyValue)).toMatchObject({ outcome: "saved" });
  });

  it("does not give an editor an admin's right to send a value elsewhere (threat: laundering a move)", async () => {
    const elsewhere = { url: "https://attacker.example.net/" };
    expect(await saveAs(author, elsewhere)).toMatchObject({ code: "invalid_fields" });
    const former = await partner.person("admin");
    const id = await propose(former, elsewhere);
    await setRole(former, "editor");
    expect(await codeOf(decide(admin, id, "approve"))).toBe("author_may_not");
    expect(await addresses()).toEqual(untouched);
  });
});

describe("approving", () => {
  it("is refused to the author, in any session (threat: being both persons)", async () => {
    const id = await propose(admin);
    expect(await codeOf(decide(admin, id, "approve"))).toBe("own_proposal");
    signInAs(admin, "another-session");
    const again = decideProposal(paramsOf(id), { decision: "approve" }, origin);
    expect(await codeOf(again)).toBe("own_proposal");
    expect(await addresses()).toEqual(untouched);
  });

  it("requires the passkey of a person who has one: their password is not enough (threat: a stolen password)", async () => {
    const id = await propose(author);
    const confirm = await givePasskey(admin);
    const approve = () => decideProposal(paramsOf(id), { decision: "approve" }, origin);
    expect(await codeOf(approve())).toBe("reauthentication_required");
    expect(await addresses()).toEqual(untouched);
    await confirm();
    expect(await approve()).toMatchObject({ outcome: "saved" });
  });

  it("is refused to people whom the author admitted or promoted, and to those whom they admitted (threat: a second account)", async () => {
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

  it("is refused to people whom the author promoted before somebody else promoted the author (threat: a second account, forgotten by a new access grant)", async () => {
    const [bad, puppet] = [await partner.person("admin"), await partner.person("viewer")];
    await as(bad, () => changeRole(partner.id, puppet, "editor", origin));
    await as(bad, () => changeRole(partner.id, bad, "viewer", origin));
    await setRole(bad, "admin");
    const id = await propose(bad);
    expect(await codeOf(decide(puppet, id, "approve"))).toBe("no_second_person");
    expect(await addresses()).toEqual(untouched);
  });

  it("is refused to another partner's admin, a viewer, and people demoted or removed since (threat: a foreign approver, a former role)", async () => {
    const id = await propose(author);
    const other = await world.partner();
    const stranger = await other.person("admin");
    expect(await codeOf(decide(stranger, id, "approve"))).toBe("not_found");
    expect(await codeOf(decide(stranger, id, "approve", undefined, other.id))).toBe("not_found");
    const [lowered, gone] = [await partner.person("editor"), await partner.person("editor")];
    await setRole(lowered, "viewer");
    await as(admin, () => removeMember(partner.id, gone, origin));
    expect(await codeOf(decide(lowered, id, "approve"))).toBe("forbidden");
    expect(await codeOf(decide(gone, id, "approve"))).toBe("not_found");
    expect(await approversSeen(id)).toEqual([admin]);
    expect(await addresses()).toEqual(untouched);
  });

  /** An approval whose last step comes after `change`. */
  async function claimAfter(id: string, approver: string, change: () => Promise<unknown>) {
    const approval = await openApproval({ partnerId: partner.id, environment }, id, approver);
    await change();
    const actor = { id: approver, name: "Approver", clientAddress: null };
    const by = { actor, requestId: "test" };
    const code = await codeOf(inTransaction((trx) => claim(trx, approval, by)));
    expect((await versionOf(id)).state).toBe("waiting");
    return code;
  }

  it("is refused at the last step to a person who was demoted meanwhile (threat: a former role)", async () => {
    const lowered = await partner.person("editor");
    const lower = () => setRole(lowered, "viewer");
    expect(await claimAfter(await propose(author), lowered, lower)).toBe("forbidden");
  });

  it("is refused at the last step where the author was demoted meanwhile (threat: a value sent elsewhere by a former right)", async () => {
    const former = await partner.person("admin");
    const id = await propose(former, { url: "https://elsewhere.example.net/" });
    const lower = () => setRole(former, "editor");
    expect(await claimAfter(id, admin, lower)).toBe("author_may_not");
  });

  it("is refused where the author may not edit any more (threat: a change that outlives its author)", async () => {
    const id = await propose(author);
    await setRole(author, "viewer");
    expect(await codeOf(decide(admin, id, "approve"))).toBe("author_may_not");
    expect(await approversSeen(id)).toBeNull();
    expect(await addresses()).toEqual(untouched);
  });

  it.each<[string, () => Promise<unknown>]>([
    ["the next read", () => as(admin, read)],
    ["the reader, where nobody opens it again,", endOverdue],
  ])(
    "is refused once it has expired, and %s ends it and its value (threat: an old approval, a copy of the table)",
    async (_who, look) => {
      const id = await propose(author, { authorization: replace("Bearer two") });
      await look();
      expect(await versionOf(id)).toMatchObject({ state: "waiting" });
      await letTimePass(id);
      expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_over");
      await look();
      expect(await versionOf(id)).toEqual({ state: "expired", secret_ciphertext: null });
      expect(await history("proposal_ended")).toMatchObject([
        { actor_id: null, outcome: "expired" },
      ]);
      expect((await as(admin, read)).proposals).toEqual([]);
      expect(await addresses()).toEqual(untouched);
    },
  );

  it("stays open while this instance's clock is 25 hours ahead for a moment", async () => {
    const id = await propose(author);
    await whileClockIsAhead(async () => {
      expect((await as(admin, read)).proposals).toMatchObject([{ id }]);
    });
    expect(await decide(admin, id, "approve")).toMatchObject({ outcome: "saved" });
  });

  it.each<[string, (id: string) => Promise<unknown>]>([
    ["the service holds", () => partner.register({ url: `${url}/other`, type: "pix_in" })],
    ["another client sees", (id) => update("changes", { client_id: "replaced" }, { id })],
  ])(
    "is refused where %s something else by now, and shown as outdated (threat: overwriting what nobody saw)",
    async (_what, change) => {
      // With a value to keep, another rule would refuse it, too.
      const id = await propose(author, { authorization: replace("Bearer two") });
      await change(id);
      expect((await as(admin, read)).proposals).toMatchObject([{ id, outdated: true }]);
      expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_stale");
    },
  );

  it("is open where what is registered has a value with asterisks in it, which is no placeholder", async () => {
    const own = replace("Basic q7**w!Zk39-xyz");
    expect(await saveAs(author, { url, authorization: own })).toMatchObject({ outcome: "saved" });
    const id = await propose(author, { authorization: replace("Bearer new") });
    expect((await as(admin, read)).proposals).toMatchObject([{ outdated: false }]);
    expect(await decide(admin, id, "approve")).toMatchObject({ outcome: "saved" });
  });

  it("for one type leaves the other type's proposal approvable", async () => {
    const one = await propose(author);
    const other = await propose(author, { type: "pix_out", url: `${url}/out` });
    expect(await decide(admin, one, "approve")).toMatchObject({ outcome: "saved" });
    expect(await decide(admin, other, "approve")).toMatchObject({ outcome: "saved" });
    expect(await addresses()).toEqual({ pix_in: moved, pix_out: `${url}/out` });
  });

  it("races withdrawing and another proposal, and only one of them wins", async () => {
    const id = await propose(author);
    const third = await partner.person("editor");
    const { revision } = await as(author, read);
    const other = { url: `${url}/other`, authorization: keep, revision, replaces: [id] };
    await Promise.allSettled([
      decide(admin, id, "approve"),
      decide(third, id, "approve"),
      decide(author, id, "withdraw"),
      as(author, () => save({ type: "both", ...other })),
    ]);
    const all = await history("proposal_ended");
    const ends = all.filter(({ detail_json }) => detail_json.includes(id));
    const { state } = await versionOf(id);
    expect(ends.map(({ outcome }) => outcome)).toEqual([state]);
    const isApproved = state === "approved";
    expect(await addresses()).toEqual(isApproved ? { pix_in: moved, pix_out: url } : untouched);
    const saves = (await history("save_shown")).filter(({ outcome }) => outcome === "saved");
    expect(saves).toHaveLength(isApproved ? 1 : 0);
  });

  it("whose process dies before sending may have been sent, and says so with both names (threat: a kill in between)", async () => {
    const id = await propose(author);
    const connectionRef = await connectionRefOnTrust(partner.id, environment);
    const approval = await openApproval(connectionRef, id, admin);
    const actor = { id: admin, name: "The admin", clientAddress: null };
    await recordAndStall({
      person: admin,
      type: "pix_in",
      address: moved,
      changeId: id,
      approval,
      withIt: (trx) => claim(trx, approval, { actor, requestId: "killed" }),
    });
    await settleLeftBehind(partner.connectionId, connectionRef);
    expect((await as(author, read)).recentChanges[0]).toMatchObject({
      outcome: "unclear",
      actor: { name: "The admin" },
      proposal: { author: { name: "The editor" } },
    });
    expect(await codeOf(decide(admin, id, "approve"))).toBe("proposal_over");
    expect(await addresses()).toEqual(untouched);
  });
});

describe("another proposal", () => {
  it.each(["pix_in", "pix_out", "both"] as const)(
    "cannot wait beside one of both types, or reuse its id, whatever the code does: %s",
    async (applies_to) => {
      const id = await propose(author, { type: "both" });
      const row = await rowOf("changes", { id });
      const add = (other: Partial<typeof row>) => insert("changes", { ...row, ...other });
      await expect(add({ id: randomUUID(), applies_to })).rejects.toThrow(/unique/i);
      await expect(add({ state: "void" })).rejects.toThrow(/unique/i);
      await add({ id: randomUUID(), applies_to, state: "rejected" });
    },
  );

  it("replaces the waiting ones of its types if the person has seen them", async () => {
    const first = await propose(author, { type: "both" });
    expect(await saveAs(admin)).toMatchObject({ code: "proposal_pending" });
    const second = await propose(admin, { replaces: [first] });
    expect((await versionOf(first)).state).toBe("replaced");
    expect((await as(author, read)).proposals).toMatchObject([{ id: second }]);
  });

  it("replaces none of them where the person has not seen all", async () => {
    const seen = await propose(author);
    const unseen = await propose(admin, { type: "pix_out" });
    const both = await saveAs(author, { type: "both", replaces: [seen] });
    expect(both).toMatchObject({ code: "proposal_pending" });
    expect((await versionOf(seen)).state).toBe("waiting");
    expect((await versionOf(unseen)).state).toBe("waiting");
  });
});

it("a proposal may be withdrawn by its author and admins, and rejected by others who edit", async () => {
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

describe("the author of a proposal that ended", () => {
  it("sees who rejected it and why until dismissed, and so does the history", async () => {
    const id = await propose(author);
    expect(await codeOf(dismiss(author, id)), "waiting").toBe("not_found");
    await decide(admin, id, "reject", "That host is not ours");
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
    await dismiss(author, id);
    expect(await endedOf(author)).toEqual([]);
  });

  it("sees that it expired, that another one replaced it, and that an admin withdrew it", async () => {
    const expired = await propose(author);
    await letTimePass(expired);
    await as(admin, read);
    const replaced = await propose(author);
    const withdrawn = await propose(admin, { replaces: [replaced] });
    const third = await partner.person("admin");
    await decide(third, withdrawn, "withdraw");
    expect((await endedOf(author)).map(({ id, state, by }) => ({ id, state, by }))).toEqual([
      // Has the email address, since another admin has the same name.
      { id: replaced, state: "replaced", by: `The admin (${admin}@test.example)` },
      { id: expired, state: "expired", by: null },
    ]);
    expect(await endedOf(admin)).toMatchObject([{ id: withdrawn, state: "withdrawn" }]);
  });

  it("does not see what they withdrew or replaced themselves", async () => {
    const first = await propose(author);
    const second = await propose(author, { replaces: [first] });
    await decide(author, second, "withdraw");
    expect(await endedOf(author)).toEqual([]);
  });

  it("sees it also when they may not edit any more, and nobody else sees or dismisses it (threat: hiding a rejection)", async () => {
    const id = await propose(author);
    await decide(admin, id, "reject", "no");
    await setRole(author, "viewer");
    expect(await endedOf(admin)).toEqual([]);
    expect(await codeOf(dismiss(admin, id))).toBe("not_found");
    expect(await endedOf(author)).toMatchObject([{ id, state: "rejected" }]);
  });
});

const reason = (why: string) => ({ decision: "reject", reason: why });
it.each<[unknown, ...[string, string][]]>([
  [{ decision: "reject" }, ["reason", "required"]],
  [reason("  "), ["reason", "required"]],
  [reason("x".repeat(201)), ["reason", "too_long"]],
  [reason("a\nb"), ["reason", "invisible_character"]],
  [reason("not ours")],
  [{ decision: "withdraw" }],
  [{ decision: "approve" }],
  [{ decision: "approve", reason: "x" }, ["reason", "unknown_field"]],
  [{}, ["decision", "required"]],
  [{ decision: "approve", extra: 1 }, ["", "unknown_field"]],
])("a decision has a reason for rejecting, and no other members: %j", (body, ...problems) => {
  const issues = decisionSchema.safeParse(body).error?.issues ?? [];
  expect(issues.map(({ path, message }) => [path.join(), message])).toEqual(problems);
});

it("a proposal is also shown in the environment that staff read first", () => {
  expect([...env().productionEnvironments]).toEqual([environment]);
  expect(mainEnvironment()).toBe(environment);
});

it("a proposal of credentials cannot be queried or reused as a save by its id (threat: an id from the history)", async () => {
  const operation = await propose(author);
  await update("changes", { kind: "credentials", applies_to: null }, { id: operation });
  const errors = [{ path: "operation", code: "operation_reused" }];
  expect(await saveAs(author, { operation, url })).toMatchObject({ errors });
  expect(await as(author, () => ask(operation))).toMatchObject({ outcome: "not_known" });
});

it.skipIf(process.env["TEST_ENGINE"] === "postgres")(
  "a waiting proposal is found by an index among all changes of its environment",
  async () => {
    const waiting = proposals(db(), { partnerId: partner.id, environment })
      .where("state", "=", sql.lit("waiting"))
      .where("kind", "=", "webhooks");
    const plan = JSON.stringify(await waiting.explain(undefined, sql`query plan`));
    expect(plan).toContain("USING INDEX changes_waiting");
  },
);
