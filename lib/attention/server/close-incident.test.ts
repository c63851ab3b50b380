import * as attention from "@/lib/attention/server/attention";
import { closeIncident as closeIncidentWith } from "@/lib/attention/server/close-incident";
import { inPartner } from "@/lib/platform/access/testing/asking";
import { update } from "@/lib/platform/database/testing/rows";
import { codeOf } from "@/lib/platform/http/testing/thrown-problem";
import { followDue } from "@/lib/webhooks/server/observe/follow";
import { inWorld, partner, read, save, timePasses, url } from "@/lib/webhooks/testing/in-world";
import { expect, it, vi } from "vitest";

vi.mock("@/lib/attention/server/attention", { spy: true });
const original = await vi.importActual<typeof attention>("@/lib/attention/server/attention");
const readAttention = inPartner("webhooks.read", original.readAttention);
const closeIncident = inPartner("webhooks.write", closeIncidentWith);

const isPostgres = process.env["TEST_ENGINE"] === "postgres";
const typed = (next: string) => ({ action: "replace" as const, value: next });
const theirs = "https://pagamentos.example/pix";

inWorld();

// The embedded database has one connection: no look comes between.
it.runIf(isPostgres)(
  "leaves an incident open that a look goes on with while somebody ends it (threat: the second change is forgotten)",
  async () => {
    await save({ type: "both", url, authorization: typed("Bearer one") });
    await read();
    await partner.register({ url: theirs, type: "pix_out", authorization: "Bearer one" });
    await read();
    await save({ type: "both", url, authorization: typed("Bearer two") });
    await timePasses(61_000);
    await followDue();
    await read();
    await update("connections", { version: 2 }, { id: partner.connectionId });
    vi.mocked(attention.attentionOf).mockImplementationOnce(async (...given) => {
      const seen = await original.attentionOf(...given);
      await partner.register({ url: `${theirs}/2`, type: "pix_out", authorization: "Bearer two" });
      await read();
      return seen;
    });
    const context = { requestId: "r", clientAddress: "192.0.2.1" };
    expect(await codeOf(closeIncident(partner.id, "sandbox", { note: "x" }, context))).toBe(
      "changed_meanwhile",
    );
    expect((await readAttention(partner.id)).environments[0]?.items).toMatchObject([
      { kind: "difference", steps: { restored: false } },
      { kind: "exposed" },
    ]);
  },
);
