import { attentionOf } from "@/lib/attention/server/attention";
import { runGancho } from "@/lib/cli/testing/run-gancho";
import { planLine } from "@/lib/cli/import-partners/plan";
import { partnerQuerySchema } from "@/lib/partners/model/page";
import { listPartners } from "@/lib/partners/testing/with-access";
import { recordAccessGrant } from "@/lib/platform/access/approvers";
import { db } from "@/lib/platform/database/open";
import { env } from "@/lib/platform/env/env";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { readTeam, switchFourEyes } from "@/lib/team/testing/with-access";
import { decide, moved, origin, propose, saveAs } from "@/lib/webhooks/testing/four-eyes";
import { as, inWorld, partner, save, url, world } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { noteRequirement, partnersWithoutSecondPerson } from "./requirement";

inWorld({ environment: "production", as: null });

const require = (requireFourEyes: boolean) => void Object.assign(env(), { requireFourEyes });
let admin: string;
beforeEach(async () => {
  require(true);
  admin = await partner.person("admin");
  await partner.registerKnown({ url, authorization: "Bearer one" });
});
afterEach(() => require(false));

const fourEyes = async () => (await as(admin, () => readTeam(partner.id))).fourEyes;
/** To operators, under Installation, in the list of partners, by its filter, and at the partner itself. */
async function isStuck(): Promise<boolean> {
  const { id } = partner;
  const inAttention = async () => {
    const [production] = (await attentionOf(db(), new Map([[id, "admin"]]))).get(id) ?? [];
    return production?.items.some(({ kind }) => kind === "no_second_person");
  };
  signInAs(await world.staff("operator"));
  const query = { search: id, status: "no_second_person", environment: "production" };
  const { partners } = await listPartners(partnerQuerySchema.parse(query));
  const said = [
    (await partnersWithoutSecondPerson(db())).some((each) => each.id === id),
    partners.length === 1,
    await inAttention(),
  ];
  const [first = false] = said;
  expect(said).toEqual(said.map(() => first));
  return first;
}
const invites = async () => {
  const line = {
    line: 1,
    id: partner.id,
    name: `Partner ${partner.id}`,
    admins: [{ email: "bia@aurora.example" }],
    connections: new Map(),
  };
  const { environments } = env();
  const terms = { environments, reason: null, resend: false, mails: false, tried: new Map() };
  return (await planLine(db(), line, terms)).steps.some((step) => step.do === "invite");
};

describe("where the operator requires it of all partners", () => {
  it("one person alone changes nothing in production, reads why, and is named to operators, who can invite a second one", async () => {
    expect(await saveAs(admin)).toMatchObject({ outcome: "waiting" });
    expect(await partner.registered()).toMatchObject([
      { callback_url: url },
      { callback_url: url },
    ]);
    expect(await fourEyes()).toMatchObject({ required: true, hasSecondPerson: false, on: null });
    expect(await isStuck()).toBe(true);
    expect(await invites()).toBe(true);
  });

  it("two people change it together", async () => {
    const second = await partner.person("editor");
    const proposal = await propose(second);
    await decide(admin, proposal, "approve");
    expect(await partner.registered()).toMatchObject([{ callback_url: moved }, {}]);
    expect((await fourEyes()).hasSecondPerson).toBe(true);
    expect(await isStuck()).toBe(false);
    expect(await invites()).toBe(false);
  });

  it("of three, one who was admitted by the author is no second person (threat: one person with two accounts)", async () => {
    const [second, puppet] = [await partner.person("admin"), await partner.person("admin")];
    await recordAccessGrant(db(), partner.id, { userId: puppet, by: admin });
    const proposal = await propose(admin);
    expect(await codeOf(decide(puppet, proposal, "approve"))).toBe("no_second_person");
    await decide(second, proposal, "approve");
    expect(await isStuck()).toBe(false);
  });

  it("two of whom one admitted the other are one: named to operators", async () => {
    const puppet = await partner.person("admin");
    await recordAccessGrant(db(), partner.id, { userId: puppet, by: admin });
    expect(await isStuck()).toBe(true);
  });

  it("nobody switches it, at the partner or at the terminal", async () => {
    await partner.person("admin");
    for (const on of [true, false])
      expect(await codeOf(as(admin, () => switchFourEyes(partner.id, on, origin)))).toBe(
        "changed_meanwhile",
      );
    const words = ["four-eyes-off", "--partner", partner.id, "--reason", "x"];
    const { code, err } = await runGancho(words, { REQUIRE_FOUR_EYES: "production" });
    expect(err).toContain("REQUIRE_FOUR_EYES requires four-eyes approval of all partners");
    expect(code).toBe(1);
  });

  it("a suspended partner is not named among those in use", async () => {
    await db()
      .updateTable("partners")
      .set({ suspended_at: 1 })
      .where("id", "=", partner.id)
      .execute();
    const named = await partnersWithoutSecondPerson(db());
    expect(named.map(({ id }) => id)).not.toContain(partner.id);
  });
});

describe("a start at which the requirement is new", () => {
  it("counts the present people as independent, once, and later who admitted whom", async () => {
    const second = await partner.person("admin");
    const admit = () => recordAccessGrant(db(), partner.id, { userId: second, by: admin });
    await admit();
    require(false);
    await noteRequirement(db());
    require(true);
    await noteRequirement(db());
    expect((await fourEyes()).hasSecondPerson).toBe(true);
    await admit();
    await noteRequirement(db());
    expect((await fourEyes()).hasSecondPerson).toBe(false);
  });

  it("leaves the lineages of a partner that had switched approval on itself (threat: an operator's setting that lets one person approve alone)", async () => {
    require(false);
    const second = await partner.person("admin");
    await as(admin, () => switchFourEyes(partner.id, true, origin));
    await recordAccessGrant(db(), partner.id, { userId: second, by: admin });
    await noteRequirement(db());
    require(true);
    await noteRequirement(db());
    expect((await fourEyes()).hasSecondPerson).toBe(false);
  });

  it("leaves what waits: a proposal, and a request to switch approval off, which nobody can agree to any more", async () => {
    require(false);
    const second = await partner.person("admin");
    await as(admin, () => switchFourEyes(partner.id, true, origin));
    const proposal = await propose(admin);
    await as(admin, () => switchFourEyes(partner.id, false, origin));
    require(true);
    await noteRequirement(db());
    expect(await codeOf(as(second, () => switchFourEyes(partner.id, false, origin)))).toBe(
      "changed_meanwhile",
    );
    await decide(second, proposal, "approve");
    expect(await partner.registered()).toMatchObject([{ callback_url: moved }, {}]);
    // Without the requirement, the partner's own choice stands.
    require(false);
    expect((await fourEyes()).on).not.toBeNull();
  });
});

it("does not apply to environments for tests", async () => {
  Object.assign(env(), { productionEnvironments: new Set() });
  const all = await attentionOf(db(), new Map([[partner.id, "admin"]]));
  const [sandbox] = all.get(partner.id) ?? [];
  expect(sandbox?.items.map(({ kind }) => kind)).not.toContain("no_second_person");
  expect(await as(admin, () => save({ url: moved }))).toMatchObject({ outcome: "saved" });
  Object.assign(env(), { productionEnvironments: new Set(["production"]) });
});
