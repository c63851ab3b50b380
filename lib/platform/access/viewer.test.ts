import { requireOwnAccount, requirePartner, requireStaff } from "@/lib/platform/access/require";
import type { SignInWay } from "@/lib/platform/auth/sessions/sessions";
import { aProvider, signInAt } from "@/lib/platform/auth/testing/provider-alone";
import { insert, update } from "@/lib/platform/database/testing/rows";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { inWorld, partner, world } from "@/lib/webhooks/testing/in-world";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";

inWorld({ as: null });

const ways = ["password", "passkey", "single_sign_on"] as const;
const both = { ...aProvider, isOnlyWay: false };
const staffClaim = { name: "groups", support: "support", operator: "operators" };

/** What a session that began so opens of the partner, and whether the start page leads to the provider. */
async function opened(userId: string, way: SignInWay) {
  signInAs(userId, "", way);
  const { viewer, opensAtProvider } = await requireOwnAccount();
  const write = await codeOf(requirePartner(partner.id, "webhooks.write"));
  return { write, roles: viewer.memberships.map(({ role }) => role), opensAtProvider };
}

describe("a membership that the provider's claim gave", () => {
  const claimed = async () => {
    const id = await partner.person("editor");
    await update("memberships", { managed: 1 }, { partner_id: partner.id, user_id: id });
    return id;
  };
  const open = { write: "nothing", roles: ["editor"], opensAtProvider: false };

  it.each(ways)(
    "opens only in a session that the provider began: by %s (threat: somebody who left it, with a passkey here)",
    async (way) => {
      const id = await claimed();
      signInAt(both);
      expect(await opened(id, way)).toEqual(
        way === "single_sign_on" ? open : { write: "not_found", roles: [], opensAtProvider: true },
      );
    },
  );

  it("opens as any other once no claim decides any more", async () => {
    const id = await claimed();
    signInAt({ ...both, partners: null });
    expect(await opened(id, "password")).toEqual(open);
  });

  it("leaves what an invitation gave open", async () => {
    const id = await partner.person("editor");
    const other = await world.partner();
    const elsewhere = { partner_id: other.id, user_id: id, role: "admin", managed: 1 } as const;
    await insert("memberships", { ...elsewhere, created_at: 1 });
    signInAt(both);
    expect(await opened(id, "passkey")).toEqual({ ...open, opensAtProvider: true });
  });
});

describe("where a claim names the staff", () => {
  const linked = async () => {
    const id = await world.staff("operator");
    await insert("identities", { issuer: both.issuer, subject: randomUUID(), user_id: id });
    return id;
  };
  const manages = async (id: string, way: SignInWay) => {
    signInAs(id, "", way);
    return codeOf(requireStaff("staff.manage"));
  };

  it.each(ways)(
    "the role of whoever is linked to the provider opens only in a session that it began: by %s (threat: an operator who left)",
    async (way) => {
      const id = await linked();
      signInAt({ ...both, staff: staffClaim });
      expect(await manages(id, way)).toBe(way === "single_sign_on" ? "nothing" : "not_found");
      signInAs(id, "", way);
      expect((await requireOwnAccount()).opensAtProvider).toBe(way !== "single_sign_on");
    },
  );

  it("an operator whom the terminal made, and who never came by the provider, may act while it is down", async () => {
    const id = await world.staff("operator");
    signInAt({ ...both, staff: staffClaim });
    expect(await manages(id, "password")).toBe("nothing");
  });

  it("without such a claim, being linked changes nothing", async () => {
    const id = await linked();
    signInAt(both);
    expect(await manages(id, "password")).toBe("nothing");
  });
});
