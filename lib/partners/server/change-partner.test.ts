import { requirePartner } from "@/lib/platform/access/require";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { historyOf } from "@/lib/history/testing/people-entries";
import { randomBytes } from "node:crypto";
import { thrownProblem as thrownBy } from "@/lib/platform/http/testing/thrown-problem";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { changePartner, createPartner, listPartners } from "@/lib/partners/testing/with-access";
import { newPartnerSchema } from "@/lib/partners/model/change-requests";
import { inWorld, partner, save, world } from "@/lib/webhooks/testing/in-world";

let operator: string;

inWorld({ as: null });
beforeAll(async () => {
  operator = await world.staff("operator");
});
beforeEach(() => signInAs(operator));

const origin = { requestId: "q1", clientAddress: "192.0.2.9" };

async function found(search: string, status?: "suspended"): Promise<string[]> {
  const { partners } = await listPartners({ search, ...(status && { status }) });
  return partners.map(({ name }) => name);
}

const newId = () => `new-${randomBytes(5).toString("hex")}`;

describe("creating a partner", () => {
  it("lists it at once, and its history begins with who created it", async () => {
    const id = newId();
    const created = { id, name: "Padaria do Ouro", suspended: false };
    expect(await createPartner({ id, name: created.name }, origin)).toEqual(created);
    expect(await found(`padaria ${id}`)).toEqual(["Padaria do Ouro"]);
    expect(await historyOf(id)).toMatchObject([
      {
        kind: "partner_created",
        detail: { name: "Padaria do Ouro" },
        actor_id: operator,
        actor_name: "The operator",
        client_address: "192.0.2.9",
      },
    ]);
  });

  it("refuses an id that is taken, and leaves that partner unchanged", async () => {
    const refused = await thrownBy(createPartner({ id: partner.id, name: "Impostor" }, origin));
    expect(refused.code).toBe("invalid_fields");
    expect(refused.init.errors).toMatchObject([{ path: "id", code: "taken" }]);
    expect(await historyOf(partner.id)).toEqual([]);
  });

  it("accepts only ids that fit in an address, and names of one line", () => {
    const faultOf = (body: object) =>
      newPartnerSchema.safeParse(body).error?.issues.map(({ message }) => message);
    expect(faultOf({ id: "Loja Aurora", name: "x" })).toEqual(["not_an_id"]);
    expect(faultOf({ id: "../x", name: "x" })).toEqual(["not_an_id"]);
    expect(faultOf({ id: "aurora", name: " " })).toEqual(["required"]);
    expect(faultOf({ id: "aurora", name: "x\u202Ey" })).toEqual(["invisible_character"]);
    expect(faultOf({ id: "aurora", name: "x", suspended: true })).toEqual(["unknown_field"]);
  });
});

describe("renaming a partner", () => {
  it("finds it by the new name and no longer by the old one", async () => {
    const [old, now] = [newId(), newId()];
    await changePartner(partner.id, { name: `Loja ${old}` }, origin);
    await changePartner(partner.id, { name: `Loja ${now}` }, origin);
    expect(await found(old)).toEqual([]);
    expect(await found(now)).toEqual([`Loja ${now}`]);
    expect((await historyOf(partner.id)).at(-1)).toMatchObject({
      kind: "partner_renamed",
      detail: { before: `Loja ${old}`, after: `Loja ${now}` },
    });
  });

  it("records nothing where nothing changes", async () => {
    await changePartner(partner.id, { name: `Partner ${partner.id}`, suspended: false }, origin);
    expect(await historyOf(partner.id)).toEqual([]);
  });
});

describe("suspending a partner", () => {
  it("removes its people's access at the next request, and sends no save of theirs", async () => {
    const admin = await partner.person("admin");
    await changePartner(partner.id, { suspended: true }, origin);
    signInAs(admin);
    expect((await thrownBy(requirePartner(partner.id, "webhooks.read"))).code).toBe("not_found");
    expect(await save({ type: "both", revision: null })).toMatchObject({ code: "not_found" });
    expect(await partner.registered()).toEqual([]);
  });

  it("can be undone; both are recorded, and the list can be filtered by it", async () => {
    const admin = await partner.person("admin");
    await changePartner(partner.id, { suspended: true }, origin);
    expect(await found(partner.id, "suspended")).toHaveLength(1);
    await changePartner(partner.id, { suspended: false }, origin);
    expect(await found(partner.id, "suspended")).toHaveLength(0);
    expect((await historyOf(partner.id)).map(({ kind }) => kind)).toEqual([
      "partner_suspended",
      "partner_resumed",
    ]);
    signInAs(admin);
    await requirePartner(partner.id, "webhooks.read");
  });
});
