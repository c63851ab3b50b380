import { aChange } from "@/lib/history/testing/history-world";
import { insert, update } from "@/lib/platform/database/testing/rows";
import { randomUUID } from "node:crypto";
import { requirePartner } from "@/lib/platform/access/require";
import { readConfiguration } from "@/lib/webhooks/testing/with-access";
import { signInAs } from "@/lib/webhooks/testing/signed-in";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { beforeEach, describe, expect, it } from "vitest";
import { diagnose, endSupportView, openSupportView } from "@/lib/support/testing/with-access";
import { supportViewRequestSchema } from "@/lib/support/model/support-view";
import {
  history,
  inWorld,
  nextPartner,
  partner,
  plan,
  showing,
  world,
} from "@/lib/webhooks/testing/in-world";

let support: string;

inWorld({ as: null });
beforeEach(async () => {
  support = await world.staff("support");
  signInAs(support);
});

const origin = { requestId: "q1", clientAddress: "192.0.2.7" };

const open = (reason = "ticket 48211") => openSupportView(partner.id, { reason }, origin);
const kinds = async () => (await history()).map(({ kind }) => kind);

it("asks support for no reason to view a partner that does not exist", async () => {
  expect(await codeOf(requirePartner("no-such-partner", "webhooks.read"))).toBe("not_found");
});

describe("support within a view", () => {
  it("reads as the role support, for thirty minutes", async () => {
    const view = await open();
    expect(view.secondsLeft).toBeCloseTo(30 * 60, -1);
    const access = await requirePartner(partner.id, "webhooks.read");
    expect(access).toMatchObject({ role: "support", supportView: { reason: "ticket 48211" } });
    await readConfiguration(partner.id, "sandbox", { requestId: "r" });
  });

  it.each<[string, () => unknown]>([
    ["of another partner", () => nextPartner()],
    ["for a colleague", async () => signInAs(await world.staff("support"))],
    [
      "in another session of theirs (threat: a view that is still open for the next person to sign in)",
      () => signInAs(support, "a later session"),
    ],
    [
      "once the time is over",
      () => update("support_views", { expires_at: Date.now() - 1 }, { partner_id: partner.id }),
    ],
    ["once it is ended", () => endSupportView(partner.id, origin)],
  ])("needs one more %s", async (_what, happens) => {
    signInAs(support, "this session");
    await open();
    expect(await codeOf(requirePartner(partner.id, "webhooks.read"))).toBe("nothing");
    await happens();
    expect(await codeOf(requirePartner(partner.id, "webhooks.read"))).toBe("support_view_required");
  });

  it("ends once, and ending it again is no error", async () => {
    await open();
    await endSupportView(partner.id, origin);
    await endSupportView(partner.id, origin);
    expect(await kinds()).toEqual(["support_view_opened", "support_view_ended"]);
  });

  it("stops at the next request when the person is no longer of support", async () => {
    await open();
    await update("users", { staff_role: null }, { id: support });
    expect(await codeOf(requirePartner(partner.id, "webhooks.read"))).toBe("not_found");
  });
});

describe("the partner's entry about it", () => {
  it("says who viewed it, from where and why", async () => {
    await open();
    expect(await history()).toMatchObject([
      {
        kind: "support_view_opened",
        actor_name: "The support",
        client_address: "192.0.2.7",
        request_id: "q1",
        detail_json: expect.stringContaining("ticket 48211"),
      },
    ]);
  });

  it("shows a second opening as the end of the first", async () => {
    await open("first reason");
    await open("second reason");
    const [opened, ended] = ["support_view_opened", "support_view_ended"];
    expect(await kinds()).toEqual([opened, ended, opened]);
    const access = await requirePartner(partner.id, "webhooks.read");
    expect(access.supportView?.reason).toBe("second reason");
  });
});

describe("a reason", () => {
  const reasonOf = (reason: string) => supportViewRequestSchema.safeParse({ reason });

  it("is trimmed to one line that cannot reverse the text beside it", () => {
    expect(reasonOf("  ticket\r\n48211 \u202Ereversed ").data).toEqual({
      reason: "ticket 48211 reversed",
    });
  });

  it("is neither empty, nor too short, nor too long", () => {
    expect(reasonOf("    \u200b   ").error?.issues[0]?.message).toBe("too_short");
    expect(reasonOf("tbd").error?.issues[0]?.message).toBe("too_short");
    expect(reasonOf("x".repeat(301)).error?.issues[0]?.message).toBe("too_long");
    expect(reasonOf("x".repeat(300)).success).toBe(true);
  });
});

describe("a diagnosis", () => {
  it("names what was last confirmed, and nothing secret", async () => {
    await partner.register({
      url: "https://hooks.loja.example/pix?token=query-secret",
      type: "pix_in",
      authorization: "Bearer header-secret",
    });
    await open();
    await readConfiguration(partner.id, "sandbox", { requestId: "r" });
    const text = await diagnose(partner.id, "sandbox", "request-of-this");
    expect(text).toContain(`partner: ${partner.id}`);
    expect(text).toContain(
      "pix_in: hooks.loja.example, a value or a mask was shown, or this dashboard saved a value last",
    );
    expect(text).toContain("pix_out: not registered");
    expect(text).toContain("last fault: none");
    expect(text).toContain("request: request-of-this");
    for (const secret of ["query-secret", "header-secret", partner.clientSecret])
      expect(text).not.toContain(secret);
  });

  it.each([
    ["viewer", false],
    ["editor", false],
    ["admin", true],
  ] as const)(
    "tells a %s of API credentials that wait for approval: %s (threat: who proposed what, by another way)",
    async (role, isTold) => {
      const change = { environment: partner.environment, kind: "credentials", state: "waiting" };
      const author = { author_id: await partner.person("admin") };
      const waits = { ...change, ...author, id: randomUUID(), expires_at: Date.now() + 3_600_000 };
      await insert("changes", aChange(partner.id, waits as never));
      signInAs(await partner.person(role));
      const text = await diagnose(partner.id, partner.environment, "r");
      expect(text.includes("about credentials")).toBe(isTold);
    },
  );

  it("says that no value was shown, and not that none is set", async () => {
    await partner.register({ url: "https://hooks.loja.example/" });
    await open();
    await readConfiguration(partner.id, "sandbox", { requestId: "r" });
    const reported = () => diagnose(partner.id, "sandbox", "r");
    expect(await reported()).toContain("pix_in: hooks.loja.example, no value was shown");
  });

  it("says that a type is not known where an item without a type may be it", async () => {
    plan(showing([{ callback_url: "https://hooks.loja.example/", events: [] }]));
    await open();
    await readConfiguration(partner.id, "sandbox", { requestId: "r" });
    expect(await diagnose(partner.id, "sandbox", "r")).toContain(
      "pix_in: not known\npix_out: not known",
    );
  });

  it("names the last fault and its request where the service cannot be read", async () => {
    partner.setActive(false);
    await open();
    await codeOf(readConfiguration(partner.id, "sandbox", { requestId: "failed-request" }));
    expect(await diagnose(partner.id, "sandbox", "r")).toMatch(
      /last fault: credentials_rejected since .*, request failed-request/,
    );
  });
});
